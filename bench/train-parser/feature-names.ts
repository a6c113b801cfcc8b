/** Numbers for the names of features, given out as names are met. */
export interface FeatureNames {
  /** The name's number; a name not met before gets the next one. */
  numberOf(name: string): number
  /** All names, each at the place of its number. */
  readonly all: readonly string[]
}

/** Makes an empty numbering. */
export const makeFeatureNames = (): FeatureNames => {
  const numbers = new Map<string, number>()
  const all: string[] = []
  return {
    all,
    numberOf: name => {
      const known = numbers.get(name)
      if (known !== undefined) return known
      numbers.set(name, all.length)
      return all.push(name) - 1
    },
  }
}
