/**
 * Makes something the first time it is asked for, and the same thing ever after. A making that failed is forgotten,
 * so that the next caller tries again.
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
