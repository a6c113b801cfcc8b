/**
 * How long an endpoint asks to be left alone, in milliseconds, or null when it does not say. `retry-after-ms` is
 * OpenAI's and Azure's finer form; `retry-after` is seconds or an HTTP date (RFC 9110, section 10.2.3).
 */
export const readRetryAfter = (headers: Headers, now: Date): number | null => {
  const fine = numberIn(headers.get('retry-after-ms'))
  if (fine !== null) return fine
  const coarse = headers.get('retry-after')
  const seconds = numberIn(coarse)
  if (seconds !== null) return seconds * 1000
  const date = coarse === null ? Number.NaN : Date.parse(coarse)
  return Number.isNaN(date) ? null : Math.max(0, date - now.getTime())
}

const numberIn = (text: string | null): number | null => {
  if (text === null || text.trim() === '') return null
  const value = Number(text)
  return Number.isFinite(value) && value >= 0 ? value : null
}
