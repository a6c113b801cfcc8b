import { createRequire } from 'node:module'
import { renderAsync } from '@resvg/resvg-js'
import { chartFont } from './vega-spec.ts'

const { resolve } = createRequire(import.meta.url)
const fontFiles = ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'].map(file =>
  resolve(`dejavu-fonts-ttf/ttf/${file}`),
)

/** Twice the size in pixels, for screens that show two of them where there was one. */
const ZOOM = 2

/** An SVG as PNG. The fonts come along, so the picture is the same on every machine. */
export const renderPng = async (svg: string): Promise<Uint8Array> => {
  const rendered = await renderAsync(svg, {
    fitTo: { mode: 'zoom', value: ZOOM },
    font: { fontFiles, loadSystemFonts: false, defaultFontFamily: chartFont },
  })
  return rendered.asPng()
}
