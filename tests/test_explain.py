"""`parity explain`: the explanations of rules, flags, harms and operations, and the comments that name rules."""

import re
import shlex
from pathlib import Path
from pkgutil import resolve_name

import pytest

from parity.command import explain_sources, main
from parity.command.explain_sources import CHECKOUT, implementations
from parity.judging.harm import HARMS, Harm, harm_word
from parity.operations import OPERATIONS, evidence
from parity.operations.evidence import read_evidence
from parity.operations.rule import Rule
from parity.operations.rules import FLAGS, RULES
from tests.running import run_pytest

_RULE = "reason-code/lower-case"
_FUNCTION = r"[a-z]\w*(?:\.\w+)+"


def _functions(rule: Rule) -> list[str]:
    return re.findall(_FUNCTION, rule.source)


def _explained(name: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["explain", name]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def _refused(name: str, capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit) as ended:
        main(["explain", name])
    out, err = capsys.readouterr()
    assert (ended.value.code, out, err.count("\n")) == (2, "", 1)
    return err


def test_the_clean_room_names_every_rule_and_no_other() -> None:
    """Comments in the clean room name every rule, and no other slugs."""
    assert sorted(implementations()) == sorted(RULES)


def test_a_rule_is_implemented_in_few_places() -> None:
    """A rule is implemented in at most three named functions, classes or constants."""
    places = implementations()

    assert [slug for slug, found in places.items() if len(found) > 3] == []
    assert [place for found in places.values() for place in found if not place.name] == []


@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_rule_is_explained_in_full(operation: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The explanation has the rule's sentence, authority, releases, places, flags, vectors and faulty runners."""
    for rule in OPERATIONS[operation].rules:
        explained = _explained(rule.slug, capsys).splitlines()

        assert explained[:2] == [f"{rule.slug}, a rule of {operation}", f"  {rule.sentence}"]
        rows = {line[2:15].strip(): line[15:] for line in explained[3:]}
        assert rows["decided by"] == rule.source
        assert rows["broken by"] == read_evidence()[rule.slug].faulty_runners[0]
        assert rows.keys() >= {"holds in", "asked by", "clean room", "flags", "vectors", "see it fail"}
        assert not rows["vectors"].startswith("0:")


@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_flag_is_explained(operation: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A flag is explained with its sentence in each operation, and the rules that name it."""
    for flag, sentence in FLAGS[operation].items():
        explained = _explained(flag, capsys)

        assert f"  {operation}: {sentence}\n" in explained
        assert f"  predicate    parity/operations/{operation}/flags.py\n" in explained
        assert Path(CHECKOUT, "parity", "operations", operation, "flags.py").is_file()
        assert all(rule.slug in explained for rule in OPERATIONS[operation].rules if flag in rule.flags)


def test_a_rule_shows_where_it_lives(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Paths in explanations are relative to the current folder, or absolute outside the checkout."""
    monkeypatch.chdir(CHECKOUT)
    inside = _explained("reward-file/json-wins", capsys)
    monkeypatch.chdir(tmp_path)
    outside = _explained("reward-file/json-wins", capsys)

    module = "parity/scorer/reward_file.py"
    line = 1 + Path(CHECKOUT, module).read_text(encoding="utf-8").splitlines().index("    if exists(in_json, series):")
    command = "pytest parity/operations/read_reward --runner tests.faulty.read_reward.files:TextWins --profile quick"
    assert f"  clean room   {module}:{line} read_reward\n" in inside
    assert f"  see it fail  {command}\n" in inside
    assert f"  clean room   {CHECKOUT}/{module}:{line} read_reward\n" in outside
    assert f"  see it fail  cd {shlex.quote(str(CHECKOUT))} && {command}\n" in outside


def test_without_a_checkout_the_runner_is_your_own(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """An installed package, which has no faulty runners, shows a placeholder for the user's own runner."""
    monkeypatch.setattr(explain_sources, "_FAULTY", tmp_path / "none")

    explained = _explained(_RULE, capsys)

    command = "pytest --pyargs parity.operations.reason_code -k test_golden --runner YOURS"
    assert explained.endswith(f"  see it fail  {command}\n")


@pytest.mark.parametrize(
    ("slug", "expected"),
    [("reward-file/json-wins", "0.7.0 to 0.22.0"), (_RULE, "no release of Harbor decides it")],
)
def test_a_rule_names_the_releases_that_it_holds_in(
    slug: str, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The releases are those that answer all vectors of the rule as 0.13.1 does."""
    assert f"  holds in     {expected}\n" in _explained(slug, capsys)


@pytest.mark.parametrize("is_checkout", [True, False], ids=["faulty", "own"])
def test_the_command_shows_a_failure(
    is_checkout: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The printed command fails, and the suite names the rule."""
    if not is_checkout:
        monkeypatch.setattr(explain_sources, "_FAULTY", tmp_path / "none")
    command = _explained(_RULE, capsys).splitlines()[-1].partition("pytest ")[2]
    command = command.replace("YOURS", read_evidence()[_RULE].faulty_runners[0])

    ran = run_pytest(*shlex.split(command), "-p", "no:cacheprovider", cwd=CHECKOUT)

    assert ran.returncode == 1
    assert any(line.startswith("DIVERGENCE in ") and f": {_RULE}: " in line for line in ran.stdout.splitlines())


def test_a_rule_without_evidence_is_explained(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """While a rule is being added, its places in the clean room are shown all the same."""
    monkeypatch.setattr(evidence, "read_evidence", dict)

    explained = _explained(_RULE, capsys)

    assert "  clean room   " in explained
    assert "vectors" not in explained
    assert "broken by" not in explained
    assert explained.endswith(" --runner YOURS\n")


def test_an_operation_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    """An operation is explained with its question, all its rules, and all its flags."""
    explained = _explained("pass_at_k", capsys).splitlines()

    operation = OPERATIONS["pass_at_k"]
    assert explained[0] == "pass_at_k, an operation: parity/operations/pass_at_k"
    assert explained[1] == f"  {type(operation).__doc__}"
    slugs = [line[15:].partition(": ")[0] for line in explained[3:]]
    assert slugs == [*(rule.slug for rule in operation.rules), *operation.flag_sentences]


@pytest.mark.parametrize("harm", HARMS)
def test_every_harm_is_explained(harm: Harm, capsys: pytest.CaptureFixture[str]) -> None:
    """A harm is explained with its meaning, under its name and under its words in reports."""
    explained = _explained(harm, capsys).splitlines()
    as_written = _explained(harm_word(harm), capsys).splitlines()

    assert explained[:2] == [f"{harm}, a harm, in reports `{harm_word(harm)}`", f"  {HARMS[harm]}"]
    assert as_written == explained


def test_what_only_one_name_begins_with_is_enough(capsys: pytest.CaptureFixture[str]) -> None:
    """A prefix of only one name is sufficient."""
    assert _explained("reward-file/json-w", capsys) == _explained("reward-file/json-wins", capsys)


def test_a_whole_name_is_no_prefix(capsys: pytest.CaptureFixture[str]) -> None:
    """A whole name is not treated as a prefix of others."""
    assert any(slug != "job-stats/errors" and slug.startswith("job-stats/errors") for slug in RULES)
    assert _explained("job-stats/errors", capsys).startswith("job-stats/errors, a rule of job_stats\n")


def test_a_prefix_of_several_names_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """A prefix of several names is refused, and the names are listed."""
    problem = _refused("extreme/", capsys)

    assert problem == (
        "parity explain: 2 names begin with 'extreme/'; did you mean extreme/first-of-equals, extreme/nan?; "
        "see parity explain --help\n"
    )


def test_a_prefix_of_very_many_names_is_refused_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """A prefix of very many names is refused in one line with ten of them."""
    number = sum(slug.startswith("job-stats/") for slug in RULES)

    assert f"{number} names begin" in (problem := _refused("job-stats/", capsys))
    assert f" and {number - 10} more?" in problem


def test_an_unknown_name_is_refused_with_what_is_close(capsys: pytest.CaptureFixture[str]) -> None:
    """An unknown name is refused in one line with similar names."""
    problem = _refused("reward-file/jsonwins", capsys)

    begun, _, meant = problem.partition("; did you mean ")
    assert begun.startswith(
        "parity explain: no rule, flag, operation or harm is called 'reward-file/jsonwins', and no "
    )
    assert meant.startswith("reward-file/json-wins")


def test_a_name_like_no_other_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """An unknown name without similar ones is refused, with its control characters escaped."""
    assert _refused("\x1b[2J\n", capsys) == (
        "parity explain: no rule, flag, operation or harm is called '\\x1b[2J\\n', and no option or README has all "
        "these words; see parity explain --help\n"
    )


@pytest.mark.parametrize("name", sorted({name for rule in RULES.values() for name in _functions(rule)}))
def test_the_function_that_decides_a_rule_exists(name: str) -> None:
    """A rule names functions and classes that can be imported from the wheel, from pydantic or from Python."""
    function = resolve_name(name)

    assert callable(function)


def test_a_rule_without_a_function_names_a_document() -> None:
    """A rule without a function names a document, and no other rule does."""
    sources = {rule.source for rule in RULES.values() if not _functions(rule)}

    assert sources == {
        "HarborEnv of verifiers", "scoring description, section 1.4", "scoring description, section 5", "this kit"
    }  # fmt: skip


def test_a_source_has_nothing_but_functions() -> None:
    """A source with a misspelled name is not accepted as a list of functions."""
    sources = [rule.source for rule in RULES.values() if _functions(rule)]

    assert [each for each in sources if re.sub(_FUNCTION, "", each).replace(", ", "") not in ("", " and ")] == []
