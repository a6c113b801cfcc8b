import type { StalenessKey } from '../../core/verified-recheck.ts'

/** As the value of a button. */
export const writeStalenessKey = ({ queryId, since }: StalenessKey): string => `${queryId}:${since.getTime()}`

/** Out of the value of a button; null for anything else. */
export const readStalenessKey = (value: string | undefined): StalenessKey | null => {
  const [, queryId, since] = /^([0-9a-f-]{36}):(\d{1,15})$/.exec(value ?? '') ?? []
  return queryId === undefined ? null : { queryId, since: new Date(Number(since)) }
}
