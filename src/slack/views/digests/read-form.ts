import type { DigestCondition, DigestTarget } from '../../../domain/digest.ts'
import type { DigestForm } from '../../../domain/digest-use-cases.ts'
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

/** The field of a block; undefined where the form has none such. */
export const findField = (values: SubmittedValues, block: string) => values[block]?.[digestFormIds.action]

/** What stands in the fields, whether it fits or not. */
export const readDigestFields = (values: SubmittedValues): DigestFields => {
  const words = (block: string): string => findField(values, block)?.value?.trim() ?? ''
  const kind = findField(values, digestFormIds.condition)?.selected_option?.value
  return {
    title: words(digestFormIds.title),
    schedule: words(digestFormIds.schedule),
    timeZone: words(digestFormIds.timeZone),
    where: findField(values, digestFormIds.where)?.selected_option?.value === 'person' ? 'person' : 'channel',
    channel: findField(values, digestFormIds.channel)?.selected_conversation ?? null,
    condition: conditionKinds.find(known => known === kind) ?? 'always',
    value: words(digestFormIds.value),
  }
}

/** What a person wants, or what is wrong, by block. Whether a schedule can be read is for the use case to say. */
export const readDigestForm = (
  fields: DigestFields,
  person: string,
):
  | { readonly status: 'read'; readonly form: DigestForm }
  | { readonly status: 'unfit'; readonly errors: Readonly<Record<string, string>> } => {
  const target = targetOf(fields, person)
  const condition = conditionOf(fields)
  const errors: Record<string, string> = {}
  if (fields.schedule === '')
    errors[digestFormIds.schedule] = 'Say when, for instance: every weekday at 09:00.'
  if (!isTimeZone(fields.timeZone))
    errors[digestFormIds.timeZone] =
      'I know no such time zone. Write a name such as Europe/Berlin or America/New_York.'
  if (target === null)
    errors[digestFormIds.channel] = 'Choose a channel, or the choice above that needs none.'
  if (condition === null) errors[digestFormIds.value] = thresholdProblem(fields)
  else if (fields.value !== '' && (condition.kind === 'always' || condition.kind === 'changed'))
    errors[digestFormIds.value] = 'Choose above what this number is for, or leave it empty.'
  if (target === null || condition === null || Object.keys(errors).length > 0)
    return { status: 'unfit', errors }
  const { title, schedule, timeZone } = fields
  return { status: 'read', form: { ...(title && { title }), schedule, timeZone, condition, target } }
}

const thresholdProblem = ({ condition, value }: DigestFields): string => {
  if (condition === 'moved') return 'Write a percentage above 0, for instance 10.'
  return value === ''
    ? 'This choice needs a number, for instance 1000.'
    : 'Write a number, for instance 1000 or 12.5.'
}

const targetOf = ({ where, channel }: DigestFields, person: string): DigestTarget | null => {
  if (where === 'person') return { kind: 'person', person }
  return channel === null ? null : { kind: 'channel', channel }
}

const conditionOf = ({ condition, value }: DigestFields): DigestCondition | null => {
  if (condition === 'always' || condition === 'changed') return { kind: condition }
  const number = readThreshold(value)
  if (number === null) return null
  // To have moved by nothing is no condition.
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
