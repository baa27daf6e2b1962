"""Opens pages in Chromium on screens of any width, in either colour scheme, and measures the contrast of their text."""

from pathlib import Path
from typing import Any

from selenium import webdriver

CONTRASTS = """
const channel = (value) => (value /= 255) <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
const luminance = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
const parts = (colour) => colour.match(/[\\d.]+/g).map(Number);
const behind = (element) => {
  for (; element; element = element.parentElement) {
    const colour = parts(getComputedStyle(element).backgroundColor);
    if (colour.length === 3 || colour[3] === 1) return colour;
  }
};
const found = [];
for (const element of document.querySelectorAll("body *")) {
  const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  if (!own || !element.checkVisibility() || element.tagName === "SCRIPT") continue;
  const [one, other] = [parts(getComputedStyle(element).color), behind(element)].map(luminance);
  const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  found.push([contrast, element.tagName + "." + element.className + ": " + element.textContent.slice(0, 40)]);
}
return found.sort((one, other) => one[0] - other[0]);
"""
"""Returns the contrast of each text with its background, and its place; the least contrast comes first."""


def emulate(browser: webdriver.Chrome, *, width: int = 1200, scheme: str = "light", scripts: bool = True) -> None:
    """Set the width of the screen, the colour scheme, and whether scripts run."""
    metrics = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not scripts})


def open_page(browser: webdriver.Chrome, path: Path, **how: Any) -> None:
    """Open a file on a screen as `emulate` sets it."""
    emulate(browser, **how)
    browser.get(path.as_uri())
