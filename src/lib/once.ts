/**
 * Creates something on the first call and returns the same thing afterwards. A failed attempt is forgotten, so the next
 * caller tries again.
 */
export const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | null = null
  return () => {
    made ??= make().catch((error: unknown) => {
      made = null
      throw error
    })
    return made
  }
}

/** Derives something from an object the first time it is asked for, and keeps it for as long as the object is in use. */
export const oncePerObject = <Source extends object, Derived>(
  derive: (source: Source) => Derived,
): ((source: Source) => Derived) => {
  const known = new WeakMap<Source, { readonly derived: Derived }>()
  return source => {
    const before = known.get(source)
    if (before !== undefined) return before.derived
    const derived = derive(source)
    known.set(source, { derived })
    return derived
  }
}
