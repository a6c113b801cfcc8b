import { environmentSchema, variableNames } from '../../src/config/environment-variables.ts'
import {
  type ListedSetting,
  listSettings,
  listStrategySettings,
  settingAt,
} from '../../src/config/settings.ts'

const roles = Object.entries(settingAt(['models'])?.properties ?? {}).flatMap(([name, role]) =>
  role.properties && 'temperature' in role.properties ? [{ name, description: role.description ?? '' }] : [],
)

/** Groups with the same settings: the table has those of the first group, and of the others only what differs. */
const groupsLikeFirst = [
  ['models.drafter', ...roles.map(({ name }) => `models.${name}`)],
  ['channels.<name>', 'otherChannels', 'directMessages'],
]

/** The table of settings in docs/configuration.md, written from the schema. */
export const settingsTable = (): string => {
  const all = listSettings()
  return [
    '| setting | must be | default | what for |',
    '|---|---|---|---|',
    ...all
      .filter(setting => !isLikeFirst(setting, all))
      .map(({ path, setting }) =>
        row([`\`${path}\``, setting.expects ?? '', defaultOf(setting), setting.description ?? '']),
      ),
  ].join('\n')
}

/** The table of a strategy's settings in docs/strategies.md. */
export const strategyTable = (name: string): string =>
  [
    '| setting | must be | default | what for |',
    '|---|---|---|---|',
    ...listStrategySettings(name).map(({ path, setting }) =>
      row([
        `\`${path.split('.').slice(2).join('.')}\``,
        setting.expects ?? '',
        defaultOf(setting),
        setting.description ?? '',
      ]),
    ),
  ].join('\n')

/** The table of model roles in docs/configuration.md. */
export const rolesTable = (): string =>
  [
    '| role | what it does |',
    '|---|---|',
    ...roles.map(({ name, description }) => row([`\`models.${name}\``, description])),
  ].join('\n')

/** The table of environment variables in docs/configuration.md. */
export const variablesTable = (): string =>
  [
    '| variable | must be | what for |',
    '|---|---|---|',
    ...variableNames.map(name => {
      const meta = environmentSchema.shape[name].meta() as { expects: string; description: string }
      return row([`\`${name}\``, meta.expects, meta.description])
    }),
  ].join('\n')

const isLikeFirst = ({ path, setting }: ListedSetting, all: readonly ListedSetting[]): boolean =>
  groupsLikeFirst.some(([first = '', ...others]) => {
    const group = others.find(other => other !== first && path.startsWith(`${other}.`))
    if (group === undefined) return false
    const same = all.find(other => other.path === first + path.slice(group.length))?.setting
    // A role without a default of its own takes the drafter's.
    return (
      same !== undefined &&
      same.description === setting.description &&
      same.expects === setting.expects &&
      (setting.default === undefined || defaultOf(same) === defaultOf(setting))
    )
  })

const defaultOf = (setting: ListedSetting['setting']): string =>
  setting.default === undefined ? '' : `\`${JSON.stringify(setting.default)}\``

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`.replaceAll('|  |', '| |')
