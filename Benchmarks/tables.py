"""A table of figures, and the words under it: what apnsim beats and what it does not, made of the figures."""
from dataclasses import dataclass

from goals import Goal

# Programs of others. The rest of what figures are beside is apnsim itself, without what is measured.
RIVALS = ["limit", "nghttp2", "mock"]
NUMBERS = ["", "apnsim", "ratio"]


@dataclass
class Row:
    case: str
    unit: str
    # The thing that apnsim is compared with, and its figure; none where the figure stands for itself.
    beside: str
    other: float | None
    apnsim: float
    # Of the ratio; of the figure itself where there is none, or where the goal is one of figures.
    goal: Goal | None = None
    isGoalOfFigure: bool = False

    @property
    def ratio(self):
        return self.apnsim / self.other if self.other else None

    @property
    def judged(self):
        return self.apnsim if self.other is None or self.isGoalOfFigure else self.ratio

    @property
    def verdict(self):
        if self.goal is None:
            return ""
        return "beyond" if self.goal.isBeyond(self.judged) else "met" if self.goal.isMet(self.judged) else "missed"

    @property
    def beats(self):
        return self.ratio > 1 if self.goal and self.goal.isAtLeast else self.ratio < 1

    @property
    def fields(self):
        """What --json keeps."""
        return {
            "case": self.case, "unit": self.unit, "beside": self.beside, "other": self.other, "apnsim": self.apnsim,
            "ratio": self.ratio, "goal": str(self.goal or ""), "verdict": self.verdict,
        }


def number(value):
    if value is None:
        return ""
    return f"{value:.3f}" if value < 10 else f"{value:.1f}" if value < 1000 else f"{value:,.0f}"


def table(rows):
    heads = ["case", "unit", "beside", "", "apnsim", "ratio", "goal", "verdict"]
    lines = [heads] + [
        [
            row.case, row.unit, row.beside, number(row.other), number(row.apnsim), number(row.ratio),
            str(row.goal or ""), row.verdict,
        ]
        for row in rows
    ]
    widths = [max(map(len, column)) for column in zip(*lines)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if head in NUMBERS else cell.ljust(width) for cell, width, head in zip(line, widths, heads)
        ).rstrip()
        for line in lines
    )


def words(rows):
    """What apnsim beats, what it does not, and which goals it misses."""
    rivals = [rival for rival in RIVALS if any(row.beside == rival for row in rows)]
    return " ".join([contest(rival, [row for row in rows if row.beside == rival]) for rival in rivals] + goals(rows))


def contest(rival, rows):
    name = rival if rival == "nghttp2" else f"the {rival}"
    won, lost = [row for row in rows if row.beats], [row for row in rows if not row.beats]
    if not lost:
        return f"apnsim beats {name}: {ratios(won)}."
    if not won:
        return f"apnsim does not beat {name}: {ratios(lost)}."
    return f"apnsim beats {name}: {ratios(won)}. It does not beat {name}: {ratios(lost)}."


def ratios(rows):
    return "; ".join(f"{row.case} ({row.ratio:.2f})" for row in rows)


def goals(rows):
    judged = [row for row in rows if row.goal]
    missed = "; ".join(f"{row.case} ({number(row.judged)} {row.goal.missing})" for row in judged if row.verdict == "missed")
    met = sum(row.verdict != "missed" for row in judged)
    if not judged:
        return []
    if not missed:
        return ["It meets its goal." if len(judged) == 1 else f"It meets its {len(judged)} goals."]
    return [f"It meets {met} of {len(judged)} goals and misses {missed}." if met else f"It misses {missed}."]
