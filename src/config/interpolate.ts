/** A `${...}` that could not be filled, and why. */
export interface UnresolvedVariable {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** Data with every `${NAME}` filled. `filled` holds the paths (see `pathKey`) whose text came from a variable. */
export interface Interpolated {
  readonly data: unknown
  readonly filled: ReadonlySet<string>
  readonly unfilled: readonly UnresolvedVariable[]
}

/** A path as a key of a set or map. */
export const pathKey = (path: readonly PropertyKey[]): string => JSON.stringify(path.map(String))

/** Fills `${NAME}` in every text of the data from the environment; `$${` stands for a plain `${`. */
export const interpolate = (data: unknown, lookUp: (name: string) => string | undefined): Interpolated => {
  const filled = new Set<string>()
  const unfilled: UnresolvedVariable[] = []

  const fill = (value: unknown, path: readonly PropertyKey[]): unknown => {
    if (Array.isArray(value)) return value.map((item, index) => fill(item, [...path, index]))
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(
        Object.entries(value).map(([name, item]) => [name, fill(item, [...path, name])]),
      )
    }
    return typeof value === 'string' ? fillText(value, path) : value
  }

  const fillText = (text: string, path: readonly PropertyKey[]): string =>
    text.replaceAll(/\$\$\{|\$\{([^}]*)(\}?)/g, (written: string, name?: string, end?: string) => {
      if (name === undefined) return '${'
      filled.add(pathKey(path))
      if (!end || !/^[A-Za-z_]\w*$/.test(name)) {
        unfilled.push({
          path,
          message: `write \${NAME} with the name of an environment variable, or $\${ for a plain \${`,
        })
        return written
      }
      const value = lookUp(name)
      if (value === undefined) {
        unfilled.push({
          path,
          message: `the environment variable ${name} is not set; set it, or write the value here`,
        })
        return written
      }
      return value
    })

  return { data: fill(data, []), filled, unfilled }
}
