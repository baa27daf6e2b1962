"""Tests that the kit has the metrics that Harbor has."""

from harbor.models.metric.type import MetricType

from parity.formats import METRIC_NAMES
from parity.scorer import METRICS


def test_metrics_are_those_of_the_wheel() -> None:
    """The names of the metrics are Harbor's, apart from a program of the user's, and each is computed."""
    expected = {str(kind.value) for kind in MetricType} - {"uv-script"}

    assert {*METRIC_NAMES} == expected
    assert {*METRICS} == expected
