"""The page: one HTML document with all that it needs, which asks nothing of any network; and the site of many."""

from parity.report.html.page import page, unfinished_page
from parity.report.html.site import INDEX, site

__all__ = ["INDEX", "page", "site", "unfinished_page"]
