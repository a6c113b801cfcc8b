/** What must be known about a server before the first statement of a person. */
export interface ServerFacts {
  /** Year and month of the release: 24.8 is [24, 8]. */
  readonly version: readonly [major: number, minor: number]
}

/** `24.8.4.13` as [24, 8]. */
export const parseVersion = (text: string): ServerFacts['version'] => {
  const [major = 0, minor = 0] = text.split('.').map(Number)
  return [major, minor]
}

/** True if the server is at least of this release. */
export const isSince = ({ version: [major, minor] }: ServerFacts, year: number, month: number): boolean =>
  major > year || (major === year && minor >= month)

/** The settings that make statements mean what they mean elsewhere, as far as a server has them. */
export const meaningSettings = (
  facts: ServerFacts,
  timeZone: string | null,
): Readonly<Record<string, string>> => ({
  // Without it an outer join fills what is missing with zeros and empty texts.
  join_use_nulls: '1',
  ...(isSince(facts, 20, 6) && { aggregate_functions_null_for_empty: '1' }),
  ...(isSince(facts, 20, 11) && { union_default_mode: 'DISTINCT' }),
  ...(isSince(facts, 20, 5) && { cast_keep_nullable: '1' }),
  // An alias of the SELECT list hides the column of its name otherwise, in WHERE too.
  ...(isSince(facts, 21, 4) && { prefer_column_name_to_alias: '1' }),
  ...(isSince(facts, 19, 1) && { cancel_http_readonly_queries_on_client_close: '1' }),
  ...(isSince(facts, 23, 6) && timeZone !== null && { session_timezone: timeZone }),
})
