"""The broker's switch with a recorder beside it: all that passes is noted, with the job it belongs to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from zwire.capture import Direction
from zwire.capture.recorder import Note
from zwire.core.broker import Broker as Engine
from zwire.core.effects import Effect, Tell
from zwire.core.state import Job
from zwire.dialects.speech import Ear, Frames, Hear, Speech, Spoken
from zwire.io.errors import Malformed
from zwire.io.switch import Outlet, Raw, Switch
from zwire.io.taps import Recording
from zwire.io.telling import as_json


class RecordingSwitch(Switch):
    """Notes what is heard before anything is done about it, and what is said once it has gone out."""

    def __init__(self, engine: Engine, told: Callable[[Tell], None], recording: Recording) -> None:
        super().__init__(engine, self._noting(told))
        self._recording = recording
        self._addresses: dict[str, str] = {}  # by the engine's name of the endpoint
        self._notes: dict[Ear, dict[Speech, Note]] = {}

    def add(self, link: Raw, ear: Ear, address: str = "") -> None:
        notes: dict[Speech, Note] = {}
        for endpoint, voice in ear.voices.items():
            self._addresses[endpoint.name] = address
            for speech in (voice.clients, voice.workers):
                if speech is not None:
                    notes[speech] = self._recording.tap(Direction.IN, address, speech.heard)
        recorded = replace(ear, hear=self._hearing(ear, notes))
        self._notes[recorded] = notes
        super().add(link, recorded, address)

    def _hearing(self, ear: Ear, notes: Mapping[Speech, Note]) -> Hear:
        hear, whose, engine = ear.hear, ear.speech, self.engine
        clock = self._recording.recorder.clock

        def hear_any(frames: Frames, now: float) -> Sequence[Effect]:
            at = clock()
            engine.concerned = 0
            effects = hear(frames, now)
            notes[whose(frames)](frames[0], frames[1:], engine.concerned, at)
            return effects

        if len(notes) > 1:
            return hear_any
        (note,) = notes.values()

        def hear_one(frames: Frames, now: float) -> Sequence[Effect]:
            at = clock()
            engine.concerned = 0
            effects = hear(frames, now)
            note(frames[0], frames[1:], engine.concerned, at)
            return effects

        return hear_one

    def _refuse(self, ear: Ear, error: Malformed, now: float) -> None:
        frames, clock = list(error.frames), self._recording.recorder.clock
        if frames:
            self._notes[ear][ear.speech(frames)](frames[0], frames[1:], 0, clock())
        super()._refuse(ear, error, now)

    def _outlet(self, link: Raw, address: str, said: Spoken) -> Outlet:
        send = super()._outlet(link, address, said)
        note = self._recording.tap(Direction.OUT, address, said)
        clock = self._recording.recorder.clock

        def send_and_note(frames: list[bytes], job: Job | None) -> bool | None:
            at = clock()  # who gets it may be quicker than we are
            failed = send(frames, job)
            if failed is None:
                note(frames[0], frames[1:], 0 if job is None else job.number, at)
            return failed

        return send_and_note

    def _noting(self, told: Callable[[Tell], None]) -> Callable[[Tell], None]:
        def note_and_tell(what: Tell) -> None:
            self._recording.recorder.event(
                what.what.value,
                as_json(what),
                endpoint=self._addresses.get(what.endpoint, what.endpoint),
                peer=what.peer,
                job=what.job,
            )
            told(what)

        return note_and_tell
