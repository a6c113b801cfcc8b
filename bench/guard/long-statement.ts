/** Chains of operators that are longer are refused for their depth before anything else is looked at. */
const maxConditions = 60

/**
 * A query of about so many characters in standard SQL: columns and calls for nearly half of it, a long IN for as much,
 * and conditions for the rest.
 */
export const longStatement = (characters: number): string => {
  const fill = (share: number, most: number, piece: (at: number) => string, glue: string): string => {
    const pieces: string[] = []
    for (
      let length = 0;
      pieces.length === 0 || (length < share && pieces.length < most);
      length += (pieces.at(-1)?.length ?? 0) + glue.length
    )
      pieces.push(piece(pieces.length))
    return pieces.join(glue)
  }
  const rest = characters - 60
  const conditions = fill(rest * 0.1, maxConditions, at => `t.a${at} BETWEEN ${at} AND ${at + 7}`, ' OR ')
  const half = (rest - conditions.length) / 2
  const columns = fill(half, 9999, at => (at % 3 === 0 ? `round(avg(t.c${at}), 2)` : `t.column_${at}`), ', ')
  const list = fill(half, 9999, at => (at % 2 === 0 ? `${at}` : `'value ${at}'`), ', ')
  return `SELECT ${columns} FROM t WHERE t.b IN (${list}) AND (${conditions})`
}
