"""`python -m tables.reading DATABASE`: the process that folds logs (`tables.reading.archive`)."""

from __future__ import annotations

import json
import os
import sys

from db.address import where_of
from tables.reading.folding import Folder, answered
from tables.reading.ledger import PLACE
from workers.serving import serve

if __name__ == "__main__":
    folder = Folder(where_of(os.environ.get(PLACE) or sys.argv[1]))
    serve(lambda line: answered(folder, json.loads(line)))
