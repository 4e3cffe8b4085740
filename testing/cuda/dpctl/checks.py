"""The output of this folder's check programs."""

import sys

RIGHT = WRONG = 0


def report(what, wrong):
    """`wrong` says what is wrong, if anything is."""
    global RIGHT, WRONG
    if wrong:
        WRONG += 1
        print("WRONG", what, wrong, flush=True)
    else:
        RIGHT += 1


def end():
    """Ends the program with 1 if anything was wrong."""
    print(RIGHT, "right,", WRONG, "wrong")
    sys.exit(1 if WRONG else 0)
