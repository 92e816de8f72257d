"""A UCI engine as the subject of a measurement, and the processor time of programs (Linux: reads /proc)."""

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


class Peer:
    """A UCI engine that plays one of the games of scripts/peers/*.ini, on one thread, without a network."""

    def __init__(self, path, game, hash_mib=16, arguments=()):
        self.process = subprocess.Popen(
            [path, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.send("uci")
        self.until("uciok")
        for name, value in [
            ("Use NNUE", "false"),
            ("Threads", 1),
            ("Hash", hash_mib),
            ("VariantPath", HERE / f"{game}.ini"),
            ("UCI_Variant", game),
        ]:
            self.send(f"setoption name {name} value {value}")
        self.ready()

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def until(self, start):
        """Reads up to a line that starts with `start`; gives all lines read."""
        lines = []
        for line in self.process.stdout:
            lines.append(line.rstrip("\n"))
            if line.startswith(start):
                return lines
        sys.exit(f"the engine ended while `{start}` was expected of it")

    def ready(self):
        # Commands are not waited for otherwise: a position sent too early is read by the old rules.
        self.send("isready")
        self.until("readyok")

    def new_game(self):
        self.send("ucinewgame")
        self.ready()

    def position(self, fen, moves=()):
        start = "startpos" if fen is None else f"fen {fen}"
        self.send(f"position {start}" + (" moves " + " ".join(moves) if moves else ""))

    @staticmethod
    def its_fen(fen):
        """What Fairy-Stockfish takes of a FEN of ours: the six fields of chess."""
        return " ".join(fen.split()[:6])

    def perft(self, fen, depth):
        """(nodes, processor seconds)."""
        self.position(fen and self.its_fen(fen))
        before = self.processor_seconds()
        self.send(f"go perft {depth}")
        nodes = int(self.until("Nodes searched")[-1].split()[-1])
        return nodes, self.processor_seconds() - before

    def legal_moves(self):
        """Of the position sent last."""
        self.send("go perft 1")
        return [line.split(":")[0] for line in self.until("Nodes searched") if line.endswith(": 1")]

    def fen(self):
        """Of the position sent last."""
        self.send("d")
        fen = next(line for line in self.until("Checkers") if line.startswith("Fen: "))
        return fen.removeprefix("Fen: ")

    def search(self, nodes):
        """(best move or None, nodes, processor seconds)."""
        before = self.processor_seconds()
        self.send(f"go nodes {nodes}")
        lines = self.until("bestmove")
        spent = self.processor_seconds() - before
        counts = [words[words.index("nodes") + 1] for words in map(str.split, lines) if "nodes" in words]
        best = lines[-1].split()[1]
        return (None if best == "(none)" else best), int(counts[-1]) if counts else 0, spent

    def processor_seconds(self):
        # Fields 14 and 15 of /proc/PID/stat, counted after the name in brackets: user and system ticks.
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def close(self):
        self.send("quit")
        self.process.wait()


def run_timed(command):
    """(standard output, processor seconds) of a program that must succeed."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    text = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"`{' '.join(map(str, command))}` failed with exit code {process.returncode}")
    return text, usage.ru_utime + usage.ru_stime
