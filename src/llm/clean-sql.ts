/** One statement as a model wrote it, without the fence and the closing semicolon that models like to add. */
export const cleanSql = (sql: string): string => {
  const fenced = /^```(?:\w+)?\s*\n([\s\S]*?)```\s*$/.exec(sql.trim())
  return (fenced?.[1] ?? sql).trim().replace(/(?:\s*;)+$/, '')
}
