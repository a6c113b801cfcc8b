/** Makes `read` remember what it gave for the keys that were last asked for, at most `most` of them. */
export const memoizeLast = <Value>(most: number, read: (key: string) => Value): ((key: string) => Value) => {
  const known = new Map<string, Value>()
  return key => {
    const value = known.has(key) ? (known.get(key) as Value) : read(key)
    // A Map keeps the order of insertion: the newest stand last, the oldest has to go.
    known.delete(key)
    known.set(key, value)
    if (known.size > most) known.delete(known.keys().next().value as string)
    return value
  }
}
