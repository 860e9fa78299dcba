"""Bugs as teams ship them. `--bug NAME` switches one on."""

import os

BUGS = {
    "balance-saved": "org.credits -= 1; org.save() loses updates when requests come at once",
    "balance-checked-first": "the balance is checked before the transaction that charges it",
    "refund-third-lost": "the worker dies at every third failed run, between its status and the refund",
    "refund-of-waiting-lost": "a run that had to wait is not refunded",
    "refund-restores-balance": "a refund writes back the balance from before the run",
    "waiting-charged-twice": "a run that had to wait is charged again when it ends",
    "queue-of-one": "a run that waits is forgotten when another one comes",
    "unread-cached": "unread is cached until something is marked or a state changes it",
    "read-up-to": "marking a notification marks all older ones",
    "mark-by-id-only": "anybody marks a notification whose id is known",
    "task-by-id-only": "a task is found by its id alone, whoever asks",
    "locked-at-times": "a transaction that meets another one fails: database is locked",
    "id-overflows": "an id that SQLite cannot hold is a server error",
    "forms-read": "forms are read like JSON",
    "trailing-ignored": "a parser of streams ignores what follows the object",
    "names-in-any-case": "names of fields are compared whatever their case",
    "accept-first": "the media type is negotiated before the key is looked at",
    "folder-startswith": "the filter of folders compares their beginning",
    "list-null": "an empty list is null",
    "spaces-collapsed": "runs of white space in a text become one space",
    "title-cut": "titles are cut to 255 characters",
}
active = os.environ.get("WORK_BUG", "")


def has(bug):
    assert bug in BUGS, bug
    return active == bug
