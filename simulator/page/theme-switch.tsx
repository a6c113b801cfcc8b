import { type Theme, themes, useTheme } from './use-theme.ts'

const names: Readonly<Record<Theme, string>> = { system: 'Auto', light: 'Light', dark: 'Dark' }

/** Which of the two schemes the page has. */
export const ThemeSwitch = () => {
  const [theme, setTheme] = useTheme()
  return (
    <fieldset className="themes">
      <legend>Appearance</legend>
      <div>
        {themes.map(name => (
          <button key={name} type="button" aria-pressed={name === theme} onClick={() => setTheme(name)}>
            {names[name]}
          </button>
        ))}
      </div>
    </fieldset>
  )
}
