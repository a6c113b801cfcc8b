import { distance } from 'fastest-levenshtein'
import type { z } from 'zod'
import { QuerentError } from '../domain/errors.ts'
import { listSettings, rootSetting, type Setting, settingAt } from './settings.ts'

/** One thing to correct: where it is (`querent.yml:12:3`, `.env:2`, a variable), what is wrong, and what to write instead. */
export interface Problem {
  readonly where: string
  readonly message: string
}

/** All problems in one error, one per line, so that a person can correct them together. */
export const badConfiguration = (problems: readonly Problem[]): QuerentError => {
  const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`
  const lines = problems.map(({ where, message }) => `  ${where}: ${message}`)
  return new QuerentError('bad-configuration', `The configuration has ${count}:\n${lines.join('\n')}`)
}

/** What describing an issue of zod needs. */
interface IssueContext {
  readonly data: unknown
  readonly whereIs: (path: readonly PropertyKey[], part: 'key' | 'value') => string
  /** True if a value came from the environment, so that it may be a secret. */
  readonly isSecret: (path: readonly PropertyKey[]) => boolean
}

/** Describes one issue of zod: one problem for each unknown key, or one for the wrong setting. */
export const describeIssue = (issue: z.core.$ZodIssue, context: IssueContext): Problem[] => {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map(key => ({
      where: context.whereIs([...issue.path, key], 'key'),
      message: describeUnknownKey(issue.path, key),
    }))
  }
  if (issue.code === 'invalid_key') {
    const { expects, examples } = settingAt(issue.path.slice(0, -1))?.propertyNames ?? {}
    const name = String(issue.path.at(-1))
    const message = `The name "${name}" must be ${expects}. For example: ${examples?.[0]}`
    return [{ where: context.whereIs(issue.path, 'key'), message }]
  }
  return [{ where: context.whereIs(issue.path, 'value'), message: describeWrongValue(issue.path, context) }]
}

const describeUnknownKey = (path: readonly PropertyKey[], key: string): string => {
  const here = settingAt(path) ?? rootSetting
  const names = Object.keys(here.properties ?? {})
  const full = dotted([...path, key])
  const meant = suggest(key, names)
  if (meant !== null) return `There is no setting ${full}. Did you mean ${meant}?`
  const elsewhere = listSettings().find(setting => setting.path.split('.').at(-1) === key)
  if (elsewhere) return `There is no setting ${full}. Did you mean ${elsewhere.path}?`
  return `There is no setting ${full}. The settings here are: ${names.join(', ')}`
}

const describeWrongValue = (path: readonly PropertyKey[], context: IssueContext): string => {
  const setting = settingAt(path) ?? {}
  const expects = expectationOf(setting)
  const value = valueAt(context.data, path)
  if (path.length === 0) return `The file must have one "name: value" per line, but it is ${kindOf(value)}.`
  const example = describeExample(path, setting)
  if (value === undefined) return `${dotted(path)} is missing. It must be ${expects}.${example}`
  if (value === null) return `${dotted(path)} is empty. It must be ${expects}.${example}`
  const got = setting.secret || context.isSecret(path) ? '' : `, not ${formatValue(value)}`
  return `${dotted(path)} must be ${expects}${got}.${example}`
}

const describeExample = (path: readonly PropertyKey[], setting: Setting): string => {
  const example = setting.examples?.[0]
  if (example === undefined) return ''
  const written = Array.isArray(example) ? `[${example.join(', ')}]` : String(example)
  const name = path.at(-1)
  return ` For example: ${typeof name === 'number' ? `- ${written}` : `${String(name)}: ${written}`}`
}

const expectationOf = (setting: Setting): string =>
  setting.properties
    ? `a group of settings (${Object.keys(setting.properties).join(', ')})`
    : (setting.expects ?? 'right')

const dotted = (path: readonly PropertyKey[]): string => path.map(String).join('.')

const valueAt = (data: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, step) => (typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined),
    data,
  )

const formatValue = (value: unknown): string => {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    const text = JSON.stringify(value)
    return text.length > 60 ? `${text.slice(0, 60)}...` : text
  }
  return kindOf(value)
}

const kindOf = (value: unknown): string => {
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'a group of settings' : `the plain value ${formatValue(value)}`
}

/** The known name that is most similar to an unknown one; null if none is similar. */
export const suggest = (unknown: string, known: readonly string[]): string | null => {
  const asked = plain(unknown)
  const near = known
    .map(name => ({ name, edits: distance(asked, plain(name)), begins: plain(name).startsWith(asked) }))
    .filter(({ edits, begins }) => edits <= Math.max(1, asked.length / 3) || (begins && asked.length >= 4))
    .sort((a, b) => a.edits - b.edits)
  return near[0]?.name ?? null
}

/** `max_rows`, `max-rows` and `maxRows` are compared as one name. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[-_]/g, '')
