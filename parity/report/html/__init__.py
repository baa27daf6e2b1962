"""The page: one HTML document with all that it needs, which asks nothing of any network."""

from parity.report.html.page import page, unfinished_page

__all__ = ["page", "unfinished_page"]
