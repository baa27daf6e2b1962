"""The record of an error in result.json."""

from parity.driver.documents.results import exception_info


def test_an_error_may_name_what_is_not_utf_8() -> None:
    """An error may contain text that is not UTF-8, although the wheel cannot write such a result."""
    try:
        raise OSError("a\udcff\ud800")
    except OSError as error:
        info = exception_info(error)

    assert info.exception_message == "a\\udcff\\ud800"
    assert info.exception_traceback.endswith("OSError: a\\udcff\\ud800\n")
