import { type Logger, LogLevel } from '@slack/bolt'
import type { Log } from '../core/log.ts'

/** Bolt's own words, in our log. */
export const makeBoltLogger = (log: Log): Logger => {
  const said = (parts: readonly unknown[]): string => parts.map(String).join(' ')
  return {
    debug: (...parts) => log.debug({ from: 'bolt' }, said(parts)),
    info: (...parts) => log.info({ from: 'bolt' }, said(parts)),
    warn: (...parts) => log.warn({ from: 'bolt' }, said(parts)),
    error: (...parts) => log.error({ from: 'bolt' }, said(parts)),
    setLevel: () => {},
    getLevel: () => LogLevel.WARN,
    setName: () => {},
  }
}
