/** Canonical names of the tables and CTEs in sight, by the lower-case name under which the text knows them. */
export interface VisibleNames {
  readonly tables: ReadonlyMap<string, string>
  readonly ctes: ReadonlyMap<string, string>
  /** The only source of the SELECT at hand: a bare column there is its column, if it has one of that name. */
  readonly own: string | null
}

export const noNames: VisibleNames = { tables: new Map(), ctes: new Map(), own: null }

/** Hands out canonical names in the order of the text: t1, t2 ... for tables, c1, c2 ... for CTEs. */
export interface NameNormalizer {
  /** A statement with one table needs no name for it at all. */
  readonly alone: boolean
  readonly nextTable: () => string
  readonly nextCte: () => string
}

export const makeNameNormalizer = (sources: number): NameNormalizer => {
  let tables = 0
  let ctes = 0
  return {
    alone: sources === 1,
    nextTable: () => {
      tables += 1
      return `t${tables}`
    },
    nextCte: () => {
      ctes += 1
      return `c${ctes}`
    },
  }
}
