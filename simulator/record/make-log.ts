/** A list that only grows at its end and forgets its oldest entries. */
export interface RecordLog<Entry> {
  add(entry: Entry): void
  all(): readonly Entry[]
}

/** Far more than any test looks at; a demo may run for days. */
const KEPT = 20_000

export const makeLog = <Entry>(changed: () => void): RecordLog<Entry> => {
  const entries: Entry[] = []
  return {
    add: entry => {
      entries.push(entry)
      if (entries.length > KEPT) entries.splice(0, entries.length - KEPT)
      changed()
    },
    all: () => [...entries],
  }
}
