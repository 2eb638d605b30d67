"""Pages as their readers walk and see them."""
