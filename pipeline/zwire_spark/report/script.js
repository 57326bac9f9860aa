// Tells what somebody points at, by mouse, finger or pen; without it, the browser's own titles do.
(() => {
  "use strict";
  const tip = document.getElementById("tip");
  for (const title of document.querySelectorAll("svg title")) {
    title.parentNode.dataset.tip = title.textContent;
    title.remove();
  }
  const hide = () => { tip.hidden = true; };
  const show = (event) => {
    const on = event.target instanceof Element ? event.target.closest("[data-tip]") : null;
    if (!on) return hide();
    tip.textContent = on.dataset.tip;
    tip.hidden = false;
    const box = tip.getBoundingClientRect();
    const left = Math.min(event.clientX + 14, document.documentElement.clientWidth - box.width - 6);
    const top = event.clientY - box.height - 14;
    tip.style.left = `${Math.max(6, left)}px`;
    tip.style.top = `${top < 6 ? event.clientY + 18 : top}px`;
  };
  document.addEventListener("pointermove", show);
  document.addEventListener("pointerdown", show);
  document.addEventListener("pointerleave", hide);
  document.addEventListener("scroll", hide, { passive: true });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
})();
