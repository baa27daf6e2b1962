"""Writes a report as a page, one HTML document that needs no network; and many reports as a site."""

from parity.report.html.page import page, unfinished_page
from parity.report.html.site import INDEX, site

__all__ = ["INDEX", "page", "site", "unfinished_page"]
