/** What a value counts as that may not be a label. */
export const otherLabel = 'other'

/** A name of ours, of a model or of a version: no spaces, no quotes, and not long. */
const NAME = /^[a-z0-9][\w.:/@-]{0,79}$/i

/** Every further value of a label is a further series that Prometheus keeps. */
const MOST_VALUES = 64

/**
 * Makes a label: values that look like names pass, up to `most` different ones. Whatever else comes (a text of a
 * person, a name too many) is `other`, so that neither texts nor endless series reach whoever reads the metrics.
 */
export const makeLabel = (most: number = MOST_VALUES): ((value: string) => string) => {
  const known = new Set<string>()
  return value => {
    if (known.has(value)) return value
    if (known.size >= most || !NAME.test(value)) return otherLabel
    known.add(value)
    return value
  }
}
