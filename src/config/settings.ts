import { z } from 'zod'
import { configSchema } from './schema/schema.ts'

/** A setting or a group of settings, as the schema describes it. */
export interface Setting {
  readonly type?: string
  readonly description?: string
  readonly expects?: string
  readonly examples?: readonly unknown[]
  readonly secret?: boolean
  readonly default?: unknown
  /** Settings of a group by name. */
  readonly properties?: Readonly<Record<string, Setting>>
  /** The setting under a name that the user chooses. */
  readonly additionalProperties?: Setting | false
  readonly propertyNames?: Setting
  readonly items?: Setting
}

/** The schema as plain data. */
export const rootSetting = z.toJSONSchema(configSchema, { io: 'input' }) as Setting

/** The setting at a path of querent.yml; undefined if there is none. */
export const settingAt = (path: readonly PropertyKey[]): Setting | undefined => {
  let setting: Setting | undefined = rootSetting
  for (const step of path) {
    if (typeof step === 'number') setting = setting?.items
    else setting = below(setting, String(step))
  }
  return setting
}

/** Looks only at own properties, so that `constructor` finds nothing. */
const below = (setting: Setting | undefined, name: string): Setting | undefined =>
  setting?.properties && Object.hasOwn(setting.properties, name)
    ? setting.properties[name]
    : setting?.additionalProperties || undefined

/** A single setting and its path, such as `databases.<name>.url`. */
export interface ListedSetting {
  readonly path: string
  readonly setting: Setting
}

/** Every single setting but those of strategies, in the order of the schema. */
export const listSettings = (): ListedSetting[] =>
  settingsBelow(rootSetting, []).filter(({ path }) => !path.startsWith('strategies.'))

/** Every single setting of a strategy. */
export const listStrategySettings = (name: string): ListedSetting[] => {
  const path = ['strategies', name]
  return settingsBelow(settingAt(path) ?? {}, path)
}

const settingsBelow = (setting: Setting, path: readonly string[]): ListedSetting[] => {
  if (setting.properties) {
    return Object.entries(setting.properties).flatMap(([name, part]) => settingsBelow(part, [...path, name]))
  }
  if (setting.additionalProperties) return settingsBelow(setting.additionalProperties, [...path, '<name>'])
  return [{ path: path.join('.'), setting }]
}
