// Vibration and sound, off until switched on; the switches are stored on the phone.
makiyaku.feedback = {
  isOn(name) { try { return localStorage.getItem(`makiyaku-${name}`) === "on"; } catch { return false; } },

  buzz(length) { if (this.isOn("buzz")) navigator.vibrate?.(length); },

  beep() {
    if (!this.isOn("sound") || !window.AudioContext) return;
    const context = new AudioContext();
    const tone = context.createOscillator();
    tone.connect(context.destination);
    tone.start();
    tone.stop(context.currentTime + 0.12);
    tone.onended = () => context.close();
  },

  start() {
    document.querySelectorAll("[data-switch]").forEach((box) => {
      box.checked = this.isOn(box.dataset.switch);
      box.addEventListener("change", () => {
        try { localStorage.setItem(`makiyaku-${box.dataset.switch}`, box.checked ? "on" : "off"); } catch { /* in force until the page closes */ }
      });
    });
  },
};
