/** Does work of one key one after the other, in the order of asking; works of different keys do not wait for each other. */
export type RunInTurn = (key: string, work: () => Promise<void>) => Promise<void>

/** Makes it. Work that fails does not keep the next from being done; whoever asked for it sees the failure. */
export const makeRunInTurn = (): RunInTurn => {
  const last = new Map<string, Promise<void>>()
  return (key, work) => {
    const done = (last.get(key) ?? Promise.resolve()).then(work)
    const settled = done
      .catch(() => {})
      .then(() => {
        if (last.get(key) === settled) last.delete(key)
      })
    last.set(key, settled)
    return done
  }
}
