"""`python -m tables.reading DATABASE`: the process that folds logs (`tables.reading.archive`)."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from tables.reading.folding import Folder, answered
from workers.serving import serve

if __name__ == "__main__":
    folder = Folder(Path(sys.argv[1]))
    serve(lambda line: answered(folder, json.loads(line)))
