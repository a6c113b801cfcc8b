import type { DigestCondition, DigestTarget } from '../../../domain/digest.ts'
import type { DigestForm } from '../../../domain/digest-use-cases.ts'
import { fieldErrors } from '../../copy/digest-forms.ts'
import { conditionKinds, type DigestFields, digestFormIds } from './form.ts'

/** What a submitted form holds, by block and action. */
type SubmittedValues = Readonly<
  Record<
    string,
    Readonly<
      Record<
        string,
        {
          readonly value?: string | null | undefined
          readonly selected_option?: { readonly value: string } | null | undefined
          readonly selected_options?: readonly { readonly value: string }[] | undefined
          readonly selected_conversation?: string | null | undefined
          readonly selected_user?: string | null | undefined
        }
      >
    >
  >
>

/** The field of a block; undefined if the form has no such block. */
export const findField = (values: SubmittedValues, block: string) => values[block]?.[digestFormIds.action]

/** The fields as they are, valid or not. */
export const readDigestFields = (values: SubmittedValues): DigestFields => {
  const text = (block: string): string => findField(values, block)?.value?.trim() ?? ''
  const kind = findField(values, digestFormIds.condition)?.selected_option?.value
  return {
    title: text(digestFormIds.title),
    schedule: text(digestFormIds.schedule),
    timeZone: text(digestFormIds.timeZone),
    where: findField(values, digestFormIds.where)?.selected_option?.value === 'person' ? 'person' : 'channel',
    channel: findField(values, digestFormIds.channel)?.selected_conversation ?? null,
    condition: conditionKinds.find(known => known === kind) ?? 'always',
    value: text(digestFormIds.value),
  }
}

/** The digest that a form describes, or what is wrong with it, by block. The use case decides whether the schedule can be read. */
export const readDigestForm = (
  fields: DigestFields,
  person: string,
):
  | { readonly status: 'read'; readonly form: DigestForm }
  | { readonly status: 'unfit'; readonly errors: Readonly<Record<string, string>> } => {
  const target = targetOf(fields, person)
  const condition = conditionOf(fields)
  const errors: Record<string, string> = {}
  if (fields.schedule === '') errors[digestFormIds.schedule] = fieldErrors.noSchedule
  if (!isTimeZone(fields.timeZone)) errors[digestFormIds.timeZone] = fieldErrors.unknownTimeZone
  if (target === null) errors[digestFormIds.channel] = fieldErrors.noChannel
  if (condition === null) errors[digestFormIds.value] = thresholdProblem(fields)
  else if (fields.value !== '' && (condition.kind === 'always' || condition.kind === 'changed'))
    errors[digestFormIds.value] = fieldErrors.unusedValue
  if (target === null || condition === null || Object.keys(errors).length > 0)
    return { status: 'unfit', errors }
  const { title, schedule, timeZone } = fields
  return { status: 'read', form: { ...(title && { title }), schedule, timeZone, condition, target } }
}

const thresholdProblem = ({ condition, value }: DigestFields): string => {
  if (condition === 'moved') return fieldErrors.noPercentage
  return value === '' ? fieldErrors.noValue : fieldErrors.unreadableValue
}

const targetOf = ({ where, channel }: DigestFields, person: string): DigestTarget | null => {
  if (where === 'person') return { kind: 'person', person }
  return channel === null ? null : { kind: 'channel', channel }
}

const conditionOf = ({ condition, value }: DigestFields): DigestCondition | null => {
  if (condition === 'always' || condition === 'changed') return { kind: condition }
  const number = readThreshold(value)
  if (number === null) return null
  // A change of 0 percent would always be met.
  if (condition === 'moved') return number > 0 ? { kind: 'moved', percent: number } : null
  return { kind: condition, value: number }
}

/** `1000`, `1,000`, `-12.5` and `10 %`; null for anything else. A comma counts only between groups of three. */
const readThreshold = (text: string): number | null => {
  const plain = text.replace(/\s*%$/, '').replace('−', '-')
  if (!/^[+-]?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$/.test(plain)) return null
  const number = Number(plain.replaceAll(',', ''))
  return Number.isFinite(number) ? number : null
}

const isTimeZone = (name: string): boolean => {
  try {
    return /^[A-Z]/i.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }) !== null
  } catch {
    return false
  }
}
