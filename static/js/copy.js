// Buttons that copy the text of the field they name.
document.querySelectorAll("[data-copy]").forEach((button) => button.addEventListener("click", async () => {
  const text = document.getElementById(button.dataset.copy);
  text.select();
  try { await navigator.clipboard.writeText(text.value); } catch { document.execCommand("copy"); }
  button.textContent = button.dataset.copied;
}));
