import { codePoint } from 'dingbat-to-unicode';
import { amendXml, escaped } from './amend-xml.ts';

/** Only a text with one of these loses something. */
const LOST = /<w:(?:noBreakHyphen|ptab|sym|ruby|ffData)\b|"(?:Symbol|Webdings|Wingdings[^"]{0,2})"/;
/** Picture fonts have a range of their own. */
const FIRST_SYMBOL = 0xf0_00;
const isPictures = (font: string) => /^(?:Symbol|Webdings|Wingdings)/i.test(font);
const REPLACED = new Set(['w:noBreakHyphen', 'w:ptab', 'w:sym']);

/**
 * Word and PowerPoint: writes hyphens that don't break, symbols of picture fonts, tabs of headers, readings of characters and what is
 * chosen in a form as text.
 */
export function amendRuns(xml: string): string {
  if (!LOST.test(xml)) return xml;
  let [font, symbolFont, isText, reading, readingFrom] = ['', '', false, '', -1];
  let chosen: string | undefined;
  let choices: string[] = [];
  return amendXml(xml, (replace, position) => ({
    onopentag(name, { 'w:val': value = '', ...attributes }) {
      isText = name === 'w:t' || name === 'a:t';
      if (name === 'w:r' || name === 'a:r') [font, symbolFont] = ['', ''];
      if (name === 'w:rFonts') font = attributes['w:ascii'] ?? '';
      if (name === 'a:latin') font = attributes.typeface ?? '';
      if (name === 'a:sym') symbolFont = attributes.typeface ?? '';
      if (name === 'w:rt') [reading, readingFrom] = ['', position()[0]];
      if (readingFrom >= 0) return;
      if (name === 'w:noBreakHyphen') replace('<w:t>\u2011</w:t>');
      if (name === 'w:ptab') replace('<w:tab/>');
      if (name === 'w:sym') {
        const code = Number.parseInt(attributes['w:char'] ?? '', 16);
        replace(`<w:t>${escaped(symbolOf(attributes['w:font'] ?? '', code))}</w:t>`);
      }
      // What stands in a run, officeparser reads; what stands in a paragraph, with all below it.
      if (name === 'w:ruby') replace('</w:r>');
      if (name === 'w:fldChar') [chosen, choices] = [undefined, []];
      if (name === 'w:checkBox') chosen = '☐';
      if (name === 'w:ddList') chosen = '0';
      if (name === 'w:listEntry') choices.push(value);
      if (chosen !== undefined && /^w:(?:default|checked|result)$/.test(name))
        chosen = choices.length > 0 || chosen === '0' ? value : /^(?:0|false|off)$/.test(value) ? '☐' : '☒';
    },
    ontext(text) {
      if (readingFrom >= 0) reading += isText ? text : '';
      else if (isText && (isPictures(font) || isPictures(symbolFont)))
        replace(escaped(drawnText(text, font, symbolFont)));
    },
    onclosetag(name, isImplied) {
      isText = false;
      if (REPLACED.has(name) && !isImplied && readingFrom < 0) replace('');
      if (name === 'w:rt') {
        replace('', readingFrom);
        readingFrom = -1;
      }
      if (name === 'w:rubyBase')
        replace(`</${name}>${reading === '' ? '' : `<w:r><w:t>(${escaped(reading)})</w:t></w:r>`}`);
      if (name === 'w:ruby') replace('<w:r>');
      const choice = choices[Number(chosen ?? 0)] ?? chosen;
      if (name === 'w:fldChar' && !isImplied && choice !== undefined)
        replace(`</${name}><w:t>${escaped(choice)}</w:t>`);
    },
  }));
}

/** A text in one font and, for characters of the range of picture fonts, in another. */
function drawnText(text: string, font: string, symbolFont: string): string {
  const drawn = [...text].map((letter) => {
    const code = letter.codePointAt(0) ?? 0;
    const used = code >= FIRST_SYMBOL && symbolFont !== '' ? symbolFont : font;
    return isPictures(used) && letter !== ' ' ? symbolOf(used, code) : letter;
  });
  return drawn.join('');
}

/** What a character of a picture font shows. */
function symbolOf(font: string, code: number): string {
  const known = codePoint(font, code) ?? codePoint(font, code % 0x1_00);
  if (known !== undefined) return known.string;
  return code >= 0x20 && code < 0xd8_00 ? String.fromCodePoint(code) : '□';
}
