import { randomBytes } from 'node:crypto'

/** An action that lets the bot open a modal for a person. */
export interface Trigger {
  readonly person: string
  /** The modal in which it happened, for `views.push`. */
  readonly viewId: string | null
}

/** Slack's error codes for a trigger id that opens nothing. */
type TriggerError = 'invalid_trigger_id' | 'exchanged_trigger_id' | 'expired_trigger_id'

/** Issues trigger ids. Each is valid once, for a short time. */
export interface Triggers {
  issue(trigger: Trigger): string
  exchange(id: string): Trigger | TriggerError
}

export const makeTriggers = (options: { readonly now: () => Date; readonly lasts: number }): Triggers => {
  const issued = new Map<string, { readonly trigger: Trigger; readonly until: number; used: boolean }>()
  return {
    issue: trigger => {
      const id = `${options.now().getTime()}.${randomBytes(4).readUInt32BE()}.${randomBytes(16).toString('hex')}`
      issued.set(id, { trigger, until: options.now().getTime() + options.lasts, used: false })
      return id
    },
    exchange: id => {
      const found = issued.get(id)
      if (!found) return 'invalid_trigger_id'
      if (found.used) return 'exchanged_trigger_id'
      if (found.until < options.now().getTime()) return 'expired_trigger_id'
      found.used = true
      return found.trigger
    },
  }
}
