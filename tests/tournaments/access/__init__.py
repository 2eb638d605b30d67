"""What everybody may see and do, by who they are."""
