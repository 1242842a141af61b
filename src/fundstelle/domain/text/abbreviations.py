"""Words that decide whether a period ends a sentence: abbreviations, starters, ordinal contexts.

Data only, no logic. Abbreviations are written without their last period and without blanks
(`z.B`, `i.d.R`); single-word ones are looked up in lower case unless the case matters.
"""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


NEVER_ENDS = _words(
    """
    z.b d.h i.e e.g d.i m.a.w s.a vgl vergl bzw bezw ca zirka inkl exkl einschl ausschl zzgl abzgl evtl
    bspw beisp insb insbes sog sogen dr drs prof profs hr hrn frl dipl doz pd h.c e.h habil st hl mr mrs
    ms messrs gov capt sgt cf viz resp approx fa bgm o.g u.g s.g i.v i.a i.e.s i.w.s i.s i.s.d i.s.v
    i.h.v i.v.m i.d.f i.h.d i.r.d i.r.v i.z.m z.hd z.hdn z.t z.zt z.z v.a u.z gez ing priv
    """
)
"""Never the end of a sentence: something must follow, and it may be a name or a noun."""

ATTRIBUTES = _words(
    """
    med vet dent phil jur iur nat rer oec pol theol hc mult kath ev evang luth ref röm griech lat dt
    engl frz franz ital span russ türk amerik österr schweiz bayer bad schwäb niederl mhd ahd bes rel
    allg allgem gegr angebl eigtl eigentl folg sämtl staatl städt gesetzl techn wiss wissensch militär
    kaufm landw wirtsch öffentl jüd christl islam ehem gesch verh verw max min gem lt betr einh mündl
    schriftl pers gesellsch natürl künstl europ dtsch deutschspr ökon ökol polit hist histor geogr chem
    biol physik mathem psych soz ggü zust zul gült geb gest versch verst gebr
    """
)
"""Shortened adjectives and prepositions, in lower case only (`kath. Schule`, but `Das ist Max.`)."""

MAY_END = _words(
    """
    mind abs absch abschn anh anl anm aufl ausg ausz abb abk abt akad begr bd bde beil bem beschl bsp
    beschw bezug chr corp dept dez diss ebf ed eds entspr erg erl fam feb febr figs fn fußn forts frdl
    ggf ggfs gl grds grundst hab halbs hbf hg hrsg hs inc jan jg jgs jh jhd jhdt jr jul jun kap kfm kl
    kt lfd ltd mdl mio mrd mill mitw mtl nachf nachm nov nr nrn okt okr oct orig para pf pfd pkt pl präs
    proc qm rd rdnr rn rspr rz sek sep sept sr stellv suppl std stdn str tägl tel tsd u.a u.ä u.dgl umg
    urspr verf verl vol vols vorm vors vs wg wtl z.k zit ziff ztr zw i.d.r d.j d.m d.o u.u.a m.e m.w
    m.e.s s.o s.u o.a u.v.a o.e u.u i.ü n.f a.f a.m p.m p.a b.w e.v i.l i.gr i.b a.d o.b.d.a q.e.d ph.d
    b.a m.a m.sc b.sc zusätzl zugl zus aug dec apr mrz jährl monatl wöchentl stündl qu eq eqs sec secs
    ch chap assn bros univ ave blvd mt ft phys al et.al co abw az aktz erk entsch kgaa kto konv lfg lfz
    mwst nds oberl op pos prot rechtspr rubr sp
    """
)
"""Ends the sentence only when a usual sentence starter follows (`5 Mio. Das …`, but `5 Mio. Euro`)."""

CALENDAR = _words(
    "Mo Di Mi Do Fr Sa So Mon Tue Wed Thu Fri Jan Feb Mär Apr Jun Jul Aug Sep Sept Okt Nov Dez Jän"
)
"""Shortened days and months, capitalised; end a sentence like the words of `MAY_END`."""

USUALLY_ENDS = _words(
    "usw etc u.s.w etc.pp u.v.m u.a.m dgl m.m ff f u.ä o.ä a.a.o ebd ebda et.c usf v.chr n.chr v.u.z n.u.z"
)
"""Ends the sentence when a capitalised word follows, except a short name in capitals (`ff. BGB`)."""

NUMBER_FOLLOWS = _words("art no nos fig tab gen gal lit ser bl tit")
"""Abbreviations that are words as well: only a number, numeral or single letter after them shows it."""

STARTERS = _words(
    """
    Der Die Das Dem Den Des Ein Eine Einer Einem Einen Eines Er Sie Es Ich Wir Ihr Du Man Dies Diese
    Dieser Dieses Diesem Diesen Jene Jener Jenes Jede Jeder Jedes Jedem Jeden Welche Welcher Welches
    Derjenige Diejenige Dasjenige Diejenigen Derselbe Dieselbe Dasselbe Solche Solcher Solches Wer Was
    Wann Wo Wie Warum Weshalb Wieso Wohin Woher Womit Wodurch Wofür Worin Wobei Worauf Wem Wen Wessen
    Wenn Weil Obwohl Obgleich Während Nachdem Bevor Ehe Als Da Dann Danach Daher Deshalb Deswegen Darum
    Dazu Dabei Dadurch Damit Dagegen Dafür Darauf Daraufhin Daraus Darin Davon Daneben Darüber Darunter
    Demnach Dementsprechend Demgegenüber Dennoch Trotzdem Gleichwohl Gleichzeitig Außerdem Zudem Ferner
    Weiter Weitere Weiteres Weiterhin Überdies Jedoch Aber Und Oder Doch Denn Sondern Auch Nur Nicht
    Nichts Kein Keine Keiner Keinem Keinen Niemand Im In Am An Ans Auf Aus Bei Beim Bis Durch Für Gegen
    Hinter Mit Nach Neben Ohne Seit Über Um Unter Von Vom Vor Zu Zum Zur Zwischen Trotz Wegen Laut Gemäß
    Innerhalb Außerhalb Anhand Aufgrund Mithilfe Mittels Statt Anstelle Hier Hierbei Hierzu Hierfür
    Hiervon Hierdurch Dort Dorthin Heute Gestern So Somit Sowohl Soweit Sofern Solange Sobald Falls Ob
    Zwar Vielleicht Insbesondere Insofern Insgesamt Alle Allen Aller Alles Allerdings Andere Anderer
    Anderes Andererseits Einerseits Einige Einiges Etwas Viele Vieles Manche Mancher Mehrere Beide
    Beides Zunächst Zuerst Zuletzt Schließlich Später Bereits Schon Erst Erstens Zweitens Drittens Noch
    Nun Jetzt Ebenso Ebenfalls Sonst Ansonsten Natürlich Leider Oft Meist Meistens Manchmal Häufig Immer
    Nie Niemals Bisher Seither Mein Meine Meinen Meiner Sein Seine Seinen Seiner Ihre Ihren Ihrem Ihrer
    Unser Unsere Unserer Euer Eure Dein Deine Siehe Bitte Ja Nein Ist Sind War Waren Wird Werden Wurde
    Wurden Hat Haben Hatte Kann Können Muss Müssen Soll Sollen Darf Dürfen Gilt Gelten Bleibt
    Entsprechend Entsprechendes The He She It We You They This That These Those There Here However Then
    On At For But And Or If When While What Who Why How Where Which My His Her Our Their Its Yes After
    Before Since Because Although Another Each Every All Some Many Most Let Please To From With Without
    By Under
    """
)
"""Words that are capitalised at the start of a sentence only: function words, German and English."""

POLITE = _words("Sie Ihr Ihre Ihren Ihrem Ihrer Ihnen")
"""Starters that are capitalised inside a sentence as well (`ggf. Ihre Unterlagen`)."""

MONTHS = _words(
    """
    Januar Jänner Februar Feber März April Mai Juni Juli August September Oktober November Dezember Jan
    Jän Feb Febr Mär Mrz Apr Jun Jul Aug Sep Sept Okt Nov Dez
    """
)

ORDINAL_NOUNS = MONTHS | _words(
    """
    Jahrhundert Jahrhunderts Jahrhunderte Jh Jhd Jhdt Jahrtausend Jahrtausends Jahrestag Geburtstag
    Todestag Straße Strasse Etage Stock Stockwerk OG UG Obergeschoss Untergeschoss Geschoss Klasse
    Schuljahr Semester Auflage Aufl Ausgabe Band Platz Rang Tag Tages Tage Woche Monat Monats Quartal
    Halbjahr Jahr Jahres Lebensjahr Lebensjahres Lebensjahrs Weltkrieg Weltkriegs Weltkrieges Sitzung
    Versammlung Legislaturperiode Wahlperiode Runde Spieltag Bundesliga Liga Mal Kapitel Abschnitt Teil
    Buch Akt Szene Satz Schritt Stufe Grad Grades Ordnung Senat Zivilsenat Strafsenat Kammer Jahrgang
    Armee Division Dynastie Tagung Kongress Lesung Novelle Stunde Minute
    """
)
"""Nouns that a number with a period is read before as an ordinal."""

ORDINAL_CONTEXT = _words(
    """
    am zum vom der die das dem den des im beim ins ab seit bis und oder sowie jeder jede jedes jeden
    jedem sein seine seinem seinen seiner seines ihr ihre ihrem ihren ihrer ihres mein meine meinem
    meinen meiner unser unsere unserem unserer dieser diese dieses diesem diesen ein eine einem einen
    einer eines in Am Zum Vom Der Die Das Dem Den Des Im Beim Ab Seit Jeder Jede Jedes Sein Seine Ihr
    Ihre Ein Eine In
    """
)
"""Words before a number with a period that make it an ordinal."""

DIVISIONS = _words(
    """
    Kapitel Abschnitt Teil Anlage Anhang Artikel Buch Titel Unterabschnitt Lektion Modul Schritt Phase
    Beispiel Aufgabe Übung Paragraph Paragraf Regel Akt Szene Chapter Section Part Appendix Step Lesson
    Example Exercise Rule
    """
)
"""Nouns that, with their number, may stand before a title (`Kapitel 1. Der Anfang.`)."""

UNITS = _words(
    "m km cm mm dm kg g mg t l ml dl cl h d s ha qm ccm kW kWh MW W V A Hz kHz MHz GB MB kB dB bar ms"
)
"""Units that are written without a period: behind a number, a period ends the sentence."""

LABELS = DIVISIONS | _words(
    """
    Kapitel Abschnitt Teil Anlage Anhang Artikel Absatz Satz Nummer Seite Tabelle Abbildung Bild
    Beispiel Übung Aufgabe Lektion Modul Band Buch Titel Punkt Ziffer Schritt Stufe Phase Option
    Variante Typ Gruppe Klasse Version Fall Plan Vitamin Hepatitis Zeile Spalte Fußnote Anmerkung Regel
    Paragraph Paragraf Zone Block Haus Raum Gleis Formel Gleichung Frage Antwort Thema Tag Woche Level
    Ebene Spiel Runde Akt Szene Unterabschnitt Vorlage Muster Chapter Section Part Appendix Table Figure
    Page Step Example Exercise Lesson Rule Type Group Class Point
    """
)
"""Nouns that are counted by a number or letter behind them (`Anlage 3`, `Option A`)."""
