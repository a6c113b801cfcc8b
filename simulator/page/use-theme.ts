import { useEffect, useState } from 'react'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const KEPT_AS = 'simulator-theme'

/** Light, dark, or what the system prefers; kept in this browser. */
export const useTheme = (): readonly [Theme, (theme: Theme) => void] => {
  const [theme, setTheme] = useState<Theme>(
    () => themes.find(theme => theme === localStorage.getItem(KEPT_AS)) ?? 'system',
  )
  useEffect(() => {
    document.documentElement.dataset.theme = theme
    localStorage.setItem(KEPT_AS, theme)
  }, [theme])
  return [theme, setTheme]
}
