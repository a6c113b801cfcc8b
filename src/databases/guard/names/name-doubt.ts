/** What is said of a form in which nobody can tell. */
export const unreadNames = 'it has a form in which nobody can tell which rows it reads'

/**
 * A name that may mean more than one thing, or a form in which nobody can tell. `isClash`: a query of WITH has the name of
 * something else, which says nothing of any column.
 */
export class NameDoubt extends Error {
  readonly isClash: boolean

  constructor(reason: string, isClash: boolean) {
    super(reason)
    this.isClash = isClash
  }
}

/** Ends the resolving of a statement; `reason` is for the person who asks. */
export const refuse = (reason: string, isClash = false): never => {
  throw new NameDoubt(reason, isClash)
}

/** Refuses a form that has not been thought of. */
export const unclear = (): never => refuse(unreadNames)
