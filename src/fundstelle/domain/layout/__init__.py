"""From words on pages to text in reading order: lines, columns, tables, paragraphs, headings. Pure."""
