"""List the German words that say nothing about what a text is about.

Articles, pronouns, prepositions, conjunctions, auxiliary and modal verbs, and the words that only ask.
Kept by hand; spelled as `terms.fold` spells (no umlauts, ss for ß), so that one list serves every spelling.
"""

_ARTICLES_AND_PRONOUNS = """
der die das den dem des ein eine einen einem einer eines kein keine keinen keinem keiner keines
ich du er sie es wir ihr mich dich ihn uns euch mir dir ihm ihnen sich man
mein meine meinen meinem meiner meines dein deine deinen deinem deiner deines
sein seine seinen seinem seiner seines ihre ihren ihrem ihrer ihres
unser unsere unseren unserem unserer unseres euer eure euren eurem eurer eures
dieser diese dieses diesen diesem dies jener jene jenes jenen jenem jeder jede jedes jeden jedem
alle allen aller alles allem manche mancher manches manchen manchem solche solcher solches solchen solchem
derselbe dieselbe dasselbe denselben demselben desselben derjenige diejenige dasjenige diejenigen denjenigen
selbst selber einander etwas nichts jemand niemand beide beiden beider
"""
_ASKING = """
wer wen wem wessen was wann wo wohin woher wie warum wieso weshalb weswegen wozu wofur womit wodurch woran
worauf woraus worin woruber worum wovon wovor wonach wobei wogegen
welche welcher welches welchen welchem wieviel wieviele
"""
_SMALL_WORDS = """
in im ins an am ans auf aufs aus bei beim von vom zu zum zur nach mit ohne fur durch um gegen bis seit
uber unter vor hinter neben zwischen wahrend wegen trotz statt anstatt innerhalb ausserhalb ab entlang
und oder aber sondern denn doch jedoch sowie sowohl als weder noch entweder dass ob wenn falls weil da
damit obwohl indem nachdem bevor ehe sobald solange sofern soweit wahrenddessen wobei
nicht auch nur schon noch sehr so dann dort hier da daher darum deshalb deswegen dabei dadurch dafur dagegen
damals danach daran darauf daraus darin daruber davon davor dazu hierzu hierbei hierfur
ja nein nun jetzt mal eben etwa immer wieder also zwar bereits sogar fast ganz je mehr viel vielen sonst
hin her ander andere anderen anderem anderer anderes einig einige einigen einigem einiger einiges
bzw usw etc ca
"""
_AUXILIARIES = """
bin bist ist sind seid war warst wart gewesen sei seien
habe hast hat haben habt hatte hattest hatten hattet gehabt hab
werde wirst wird werden werdet wurde wurdest wurden wurdet geworden worden wurd
kann kannst konnen konnt konnte konntest konnten konntet
muss musst mussen musste musstest mussten musstet
soll sollst sollen sollt sollte solltest sollten solltet
will willst wollen wollt wollte wolltest wollten wolltet
darf darfst durfen durft durfte durftest durften durftet
brauche brauchst braucht brauchen brauchte brauchtest brauchten brauchtet
mag magst mogen mogt mochte mochtest mochten mochtet
lasse lasst lassen liess liessen tun tut tat getan mache machst machen machte machtest machten machtet gemacht
"""

STOP_WORDS = frozenset((_ARTICLES_AND_PRONOUNS + _ASKING + _SMALL_WORDS + _AUXILIARIES).split())
"""German stop words, folded (lower case, `a` for `ä`, `ss` for `ß`)."""
