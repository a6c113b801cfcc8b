/**
 * A statement without the names of its columns, with the sides of each key in one order, and without its order where
 * that does not choose the rows.
 */
export const bareStatement = (sql: string): string => {
  const flat = sql
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ AS [`"\w]+/g, '')
    .replaceAll(/([`"\w]+\.[`"\w]+) = ([`"\w]+\.[`"\w]+)/g, (_, a: string, b: string) =>
      [a, b].toSorted().join(' = '),
    )
  return / limit /i.test(flat) ? flat : flat.replace(/ ORDER BY [^()]*$/, '')
}
