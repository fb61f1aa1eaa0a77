# From a rulebook to a heat map, a price and a card: `marimo edit docs/notebook.py`, after `pip install marimo`.
import marimo

app = marimo.App()


@app.cell
def _():
    import enfilade as en
    import marimo as mo

    return en, mo


@app.cell
def _(en, mo):
    # A game in a text file, in order before anything is asked of it.
    rules = mo.notebook_dir().parent / "rulebooks/champions.rules"
    assert not en.rules.check(rules)
    grid = en.odds(rules, "duel", fate=[0, 1, 2], ours={"prowess": [1, 2, 3, 4]})
    return (grid,)


@app.cell
def _(grid, mo):
    mo.vstack([mo.md(grid.sentence), mo.Html(grid.chart), grid.law("renown_won", at={"fate": 2, "ours.prowess": 4})])
    return


@app.cell
def _(en, mo):
    gun = en.balance(mo.notebook_dir().parent / "experiments/my_gun.toml", only="my gun")
    mo.md(f"**{gun['my gun']['shown']['even']:.0f} points**: {gun['my gun']['why']}")
    return


@app.cell
def _(grid, mo):
    mo.Html(grid.sheet("card.svg").decode())
    return
