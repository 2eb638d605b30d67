// The buttons that print the page they stand on.
document.querySelectorAll("[data-print]").forEach((button) => button.addEventListener("click", () => print()));
