"""Games that last: seats, invitations, the log, clocks, talk, fair dealing, storage."""
