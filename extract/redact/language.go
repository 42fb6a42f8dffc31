package redact

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/once"
)

// The words with which people and programs speak of secrets, by language. They
// are in lower case.

// A speech is how a language speaks of secrets.
type speech struct {
	// passwords, keys and codes are names of secrets whose value may be any word, is rather
	// made by a machine, or has digits.
	passwords, keys, codes string
	// logins are names of a login and a password together.
	logins string
	// is stands between a name and its value, to between a name that was changed and its
	// value, as before a name whose value stands before.
	is, to, as string
	// verbs are the beginnings of words that say that a secret changes.
	verbs string
	// idle are words behind a name that are no value.
	idle string
	// done are words that say in a sentence what was done with a secret. To the rules they are words as any other, so
	// that they let no value pass beside them.
	done string
	// about are words that go with a secret in a sentence and are no value there: where it is kept, what
	// it is made of, and what asks for it.
	about string
}

// The lists are separated by commas. In a name, brackets hold alternatives: "code(|s) (a|b)".
var speeches = []speech{
	{ // English
		passwords: "secret word,code word,codeword,safe word,magic word,watchword,password,passwd,passphrase," +
			"pass phrase,secret (phrase|passphrase),passcode,pwd,pass,pw,passwords,pass word,access code," +
			"(activation|product|master|pre-shared|radius|tacacs|hmac) key," +
			"(wifi|wi-fi|wlan|network|wpa|wpa2|wpa3|wireless) key,radius secret,tacacs secret,maiden name," +
			"community string,snmp community,p/w,(security|secret) answer,answer to the security question," +
			"security question answer,wifi code,key content,schlüsselinhalt,log-in password",
		keys: "secret,secret key base,token,apikey," +
			"(api|access|secret|private|signing|encryption|decryption|license|" +
			"licence|deploy|auth|account|shared|client|session|service|webhook|storage|admin) key," +
			"master token,auth token,unseal key",
		codes: "pin,otp,totp,2fa,one-time password,one time password,one-time pin," +
			"(2fa|mfa|otp|totp|pin|sms|one-time|one time|single-use|two-factor|" +
			"recovery|backup|emergency|reset|verification|security|auth|authentication|" +
			"authorization|login|sign-in|signin|confirmation|activation|unlock|" +
			"guard|alarm|door|gate|entry|safe|lock|garage|keypad) code,(recovery|backup|emergency) codes," +
			"recovery key,cvv,cvc,cvv2,puk,puk code,host key,(safe|lock) combination,(voicemail|entry|login|card) pin",
		logins: "credentials,creds,credential,login,logins,cred,basic auth,basic authentication,http auth",
		is:     "is,was,are,now,equals,been,remains,stays,becomes,became,that's,it's,thats",
		to:     "to,as",
		as:     "as,for",
		about: "vault,store,storage,hash,hashes,database,server,backend,frontend,browser,clipboard,keychain,config," +
			"configuration,production,staging,environment,variable,file,code,text,email,mail,username,account," +
			"something,anything,nothing,everything,someone,everyone,expire,expires,work,works,fail,fails,match," +
			"matches,salt,keyboard,phone,device,card,client,github,google,bitwarden,vaultwarden,bcrypt,argon," +
			"session,cookie,cookies,header,headers,query,body,json,yaml,oauth,ldap,kerberos,yours,slow,fast,late," +
			"broken,visible,leaked,stale,algorithm,algorithms,entry,entries,expiration,obfuscation,request," +
			"requests,options,files,agent,agents," +
			"cache,protection,recovery,generator,callback,encryption,complexity,history,dialog,box,column," +
			"table,attribute," +
			"parameter,parameters,argument,settings,hint,hints,list,mechanism,method,checker,guess,provider," +
			"module,handler," +
			"group,groups,role,roles,sudo,home,system,project,team,owner,permission,permissions,usual,credential," +
			"function,class,object,instance,library,package,interface,script,command,output,process,service,services," +
			"network,screen,window,button,link,reference,section,block,item,items,record,records,value,values," +
			"verifier," +
			"authenticator,hasher,dictionary,wordlist,breach,leak,attack,attacks,spraying,security,access,control," +
			"based,material,materials,respect,confirmation,bits,bytes,size,limit,change,changes,lookup,sharing," +
			"strategy,model,schema,grant,exchange,scheme," +
			"httponly,samesite,geburtsdatum,geburtstag,adresse,correo,datum,alphanumeric,numeric,ascii,unicode," +
			"sso,certificate,ours,theirs,someone's,backslash,ampersand,apostrophe,semicolon,asterisk,underscore," +
			"hyphen,newline,whitespace,ditto",
		verbs: "change,changing,generat,creat,set,reset,update,rotate,switch,assign,renew,replace,moved",
		idle: "the,a,an,not,no,never,always,only,also,still,already,being,been,in,on,at,of,for,from,with,by,to," +
			"as,and,or," +
			"but,if,so,then,than,that,this,these,those,it,its,my,your,our,their,his,her,what,when,where,why,how,who," +
			"which,whether,because,there,here,very,too,just,more,less,most,least,all,any,each,both,same," +
			"different,wrong," +
			"right,correct,incorrect,empty,missing,invalid,valid,required,optional,expired,stored,hashed,encrypted," +
			"unknown,safe,secure,weak,strong,long,short,old,new,ok,fine,okay,bad,good,needed,used,set,sent,read,kept," +
			"read-only,readonly,hidden,plain,plaintext,see,use,add,fix,make,must,should,may,can,will,would," +
			"could,shall," +
			"enter,reset,update,change,changes,check,remove,allow,handle,refactor,support,rotate,revoke,create,show," +
			"store,test,tests,field,fields,string,value,policy,policies,manager,login,refresh,flow,form,input," +
			"page,us," +
			"up,out,off,into,about,please,at-least,do,does,did,don't,doesn't,isn't,has,have,had,was,were,be,is,are," +
			"available,public,private,mandatory,visible,due,between,after,before,under,over,without,within,via,per," +
			"given,done,gone,lost,found,hit,cut,made,put,held,bound,kept,typed,shown,written,broken,chosen," +
			"taken,known,provided,changeable,unset,default," +
			"authentication,authorization,validation,verification,rotation,reuse,expiry,length,strength,prompt,once," +
			"first,last,next,every,another,other,some,such,mine,yours,reset,invalidated,malformed,now," +
			"insecure,unsafe,risky,dangerous,important,necessary,sensitive,case-sensitive,confidential,useless," +
			"useful," +
			"possible,impossible,unique,random,temporary,permanent,hard,easy,simple,complex,complicated,common," +
			"obvious," +
			"clear,unclear,relevant,irrelevant,unavailable,unusable,identical,equal,similar,enough,insufficient," +
			"essential," +
			"somewhere,anywhere,nowhere,elsewhere,everywhere,called,named,passed,renamed,longer,shorter,like," +
			"unlike,instead,back,true,false,null,none",
		done: "forgotten,stolen,overwritten,rewritten,withdrawn",
	},
	{ // German
		passwords: "losungswort,geheimwort,passwort,kennwort,passphrase,losung,passwörter,zugangscode,zugriffscode",
		keys: "(api|zugriffs|zugangs|geheim|wlan-|wpa-|netzwerk|lizenz|sitzungs|" +
			"verschlüsselungs|master)schlüssel,(api|geheimer|privater|gemeinsamer)( |-)schlüssel,geheimnis," +
			"(zugriffs|zugangs|api-|sitzungs)token",
		codes: "(bestätigungs|wiederherstellungs|sicherheits|einmal|verifizierungs|" +
			"verifikations|freischalt|entsperr|aktivierungs|authentifizierungs|" +
			"anmelde|prüf|tür|alarm|tresor|notfall|ersatz|backup|backup-|pin-|" +
			"2fa-|mfa-|otp-|sms-|login-)code(|s),einmalpasswort,einmalkennwort,geheimzahl,tan",
		logins: "(zugangs|anmelde|login-|login)daten,zugang",
		is:     "ist,lautet,war,heißt,heisst,bleibt,blieb,lautete,wäre,wird,hieß",
		to:     "auf,zu,in",
		as:     "als",
		about: "schlecht,gut,unsicher,doof,blöd,algorithmus,tresor,datenbank,server,datei,browser,produktion," +
			"klartext,hash,formular,benutzer,nutzer,konto,wo," +
			"welche,welches,wer,etwas,nichts,alles,quatsch,länger,kürzer,sicherer,einfach,dasselbe,gleich",
		verbs: "änder,geänder,setz,gesetz,stell,wechsel,gewechsel,zurückgesetz,umgestell",
		idle: "dasselbe,derselbe,gleiche,der,die,das,den,dem,des,ein,eine,einen,nicht,kein,keine,falsch,richtig," +
			"leer,ungültig,gültig," +
			"abgelaufen," +
			"erforderlich,muss,darf,soll,kann,wird,wurde,im,in,am,an,auf,für,von,mit,bei,zu,und,oder,aber,wie," +
			"was,wenn," +
			"dann,schon,noch,immer,nie,zwingend,notwendig,gespeichert,verschlüsselt,gehasht,vergessen,ändern," +
			"eingeben," +
			"zurücksetzen,mindestens,unbekannt,sicher,zu,bitte,siehe,hier,dort,nur,auch",
	},
	{ // French
		passwords: "mot de passe,mots de passe,mdp,code wifi,code wi-fi,code du wifi,code wpa,phrase secrète," +
			"phrase de passe,clé wifi,clé wi-fi,clé wpa," +
			"clé réseau,code d'accès,code d’accès",
		keys: "(clé|cle) (api|d'api|secrète|privée|d'accès|de chiffrement|de signature|" +
			"de licence|partagée|maître),jeton,jeton (d'accès|d'api|secret)",
		codes: "code(|s) de (récupération|vérification|secours|sécurité|validation|" +
			"confirmation|déverrouillage|connexion|sauvegarde|restauration)," +
			"code d('|’)(activation|authentification|urgence|entrée)," +
			"code (pin|secret|otp|2fa|mfa|sms|porte|unique|temporaire|à usage unique|" +
			"de la porte|de l'alarme),digicode",
		logins: "identifiants,identifiants de connexion,identifiant,infos de connexion,accès",
		is:     "est,c'était,c’était,c'est,sera,était,vaut,reste,demeure,devient,devenu",
		to:     "en,à,par,pour",
		as:     "comme,pour",
		about: "algorithme,production,base,serveur,fichier,coffre,clair,trop,quel,quelle,où,même,hash," +
			"navigateur,compte," +
			"erreur,court,courte,long,longue,faible,urgence,cours",
		verbs: "chang,passé,modifi,mis,met,remis,remet,remplac,réinitialis,défin",
		idle: "même,identique,le,la,les,un,une,de,du,des,pas,ne,non,incorrect,invalide,vide,obligatoire,requis," +
			"requise,expiré," +
			"oublié,dans," +
			"sur,pour,par,avec,et,ou,mais,que,qui,si,au,aux,en,stocké,haché,chiffré,doit,peut,faux,correct," +
			"trop,au-moins," +
			"toujours,jamais,déjà,encore,votre,notre,voir,ici,changé,modifié",
		done: "jour",
	},
	{ // Spanish
		passwords: "contraseña,contrasena,clave,frase de contraseña,contraseñas,clave de acceso,código de acceso",
		keys: "clave (api|de api|secreta|privada|de cifrado|de licencia|compartida|maestra),secreto," +
			"ficha de acceso,(token|secreto) (de acceso|de api)",
		codes: "(código|codigo) (pin|otp|2fa|mfa|sms|secreto|temporal|único)," +
			"(código|codigo|códigos|codigos) de (recuperación|respaldo|verificación|" +
			"seguridad|confirmación|autenticación|activación|desbloqueo|emergencia|" +
			"un solo uso|inicio de sesión|la puerta|entrada|la alarma),clave dinámica",
		logins: "credenciales,acceso,accesos,datos de acceso",
		is:     "es,era,fue,será,son,siendo,sería,queda,quedó,sigue",
		to:     "a,por,en",
		as:     "como,de",
		about: "algoritmo,producción,base,servidor,archivo,texto,cuál,cual,dónde,donde,mano,corta,larga,misma," +
			"todos,demasiado," +
			"cuenta,navegador,bóveda,favor",
		verbs: "cambi,actualiz,modific,restablec,pon,puse,pus",
		idle: "necesaria,necesario,misma,mismo,igual,el,la,los,las,un,una,de,del,no,en,por,para,con,y,o,pero," +
			"que,si,incorrecta," +
			"incorrecto,inválida," +
			"inválido,vacía," +
			"vacío,obligatoria,obligatorio,opcional,requerida,requerido,correcta,expirada,débil,segura,olvidada,debe," +
			"puede,muy,su,tu,mi,nuestra,guardada,cifrada,siempre,nunca,ya,aquí,al,primaria,foránea,primarias",
	},
	{ // Portuguese
		passwords: "chave do wifi,chave do wi-fi,chave wifi,chave da rede,senha,palavra-passe,palavra passe," +
			"frase secreta,senhas,código de acesso",
		keys: "chave (api|de api|da api|secreta|privada|de acesso|de criptografia|" +
			"de licença|compartilhada|mestra),segredo,token de (acesso|api)",
		codes: "(código|codigo) (pin|otp|2fa|mfa|sms|secreto|temporário|da porta|do alarme)," +
			"(código|codigo|códigos|codigos) de (recuperação|backup|verificação|" +
			"segurança|confirmação|autenticação|ativação|desbloqueio|emergência|reserva|uso único)",
		logins: "credenciais,acesso,acessos,dados de (acesso|login)",
		is:     "é,eh,era,será,são,ficou,fica,sendo,segue,continua,virou",
		to:     "para,pra,por,a,em",
		as:     "como,de",
		about: "produção,banco,servidor,arquivo,texto,qual,onde,curta,longa,mesma,todos,muito,conta,cofre,navegador," +
			"favor",
		verbs: "mud,alter,troc,troqu,atualiz,redefin,modific,defin,coloc",
		idle: "mesma,mesmo,igual,o,a,os,as,um,uma,de,do,da,dos,das,não,nao,no,na,em,por,para,com,e,ou,mas,que," +
			"se,incorreta," +
			"inválida,vazia," +
			"obrigatória,opcional,correta,expirada,fraca,forte,deve,pode,sua,minha,nossa,armazenada," +
			"criptografada,sempre," +
			"nunca,já,aqui,ao",
	},
	{ // Italian
		passwords: "(parola|frase) (d'ordine|d’ordine|chiave|segreta),parola di accesso,frase di accesso," +
			"codic(e|i) (di accesso|d'accesso|d’accesso)",
		keys: "chiave (api|segreta|privata|di accesso|di cifratura|di licenza|condivisa),segreto,gettone," +
			"token di accesso",
		codes: "codice (pin|otp|2fa|mfa|sms|segreto|monouso|usa e getta|temporaneo|" +
			"porta|della porta|dell'allarme)," +
			"codic(e|i) di (recupero|backup|verifica|sicurezza|conferma|sblocco|" +
			"emergenza|riserva|autenticazione|attivazione)",
		logins: "credenziali,accesso,accessi,dati di accesso",
		is:     "è,era,sarà,sono,rimane,resta,diventa,diventata",
		to:     "in,a,con,su",
		as:     "come",
		about: "produzione,base,server,file,chiaro,quale,dove,corta,lunga,stessa,tutti,automatico,fretta,conto," +
			"cassaforte," +
			"locale,memoria,sicurezza",
		verbs: "cambi,impost,modific,aggiorn,reimpost",
		idle: "stessa,stesso,solita,il,lo,la,i,gli,le,un,una,di,del,della,non,nel,nella,in,per,con,e,o,ma,che," +
			"se,errata,errato," +
			"sbagliata,corretta," +
			"scaduta,vuota,obbligatoria,richiesta,opzionale,deve,può,tua,sua,mia,sempre,mai,già,qui,al,troppo," +
			"salvata",
		done: "viene,venne",
	},
	{ // Dutch
		passwords: "wachtwoord,wachtwoordzin,toegangscode,wachtzin,wachtwoorden",
		keys: "(api|geheime|privé|gedeelde)( |-)sleutel,(privé|toegangs|licentie|versleutelings)sleutel,geheim," +
			"toegangstoken",
		codes: "(herstel|verificatie|beveiligings|bevestigings|inlog|reserve|" +
			"nood|ontgrendelings|activerings|activatie|backup|back-up|back-up-|" +
			"pin|pin-|2fa-|otp-|sms-|alarm|deur)code(|s),eenmalige code,eenmalig wachtwoord",
		logins: "(inlog|aanmeld|login)gegevens",
		is:     "is,was,luidt,wordt,blijft,werd,luidde",
		to:     "naar,in,op,als",
		as:     "als",
		about:  "productie,database,server,bestand,kluis,waar,welk,kort,lang,zelfde,browser,tekst,alles,iets,niets",
		verbs:  "verander,gewijzig,wijzig,ingesteld,gezet,aangepast,zet,reset,gereset,hersteld,vervang,geworden",
		idle: "hetzelfde,dezelfde,zelfde,het,de,een,van,niet,geen,onjuist,ongeldig,verkeerd,fout,juist,leeg," +
			"verplicht,vereist,verlopen," +
			"moet,mag,kan," +
			"wordt,in,op,voor,met,en,of,maar,die,dat,als,te,nog,altijd,nooit,al,opgeslagen,versleuteld," +
			"vergeten,hier,om",
		done: "opnieuw,gereset,bijgewerkt,gewist,gelekt,vervangen,hersteld,vernieuwd,veranderd,verwijderd",
	},
	{ // Swedish
		passwords: "lösenord,lösenordet,lösenfras,losenord,lösenordsfras,lösen,åtkomstkod,åtkomstkoden,passerkod",
		keys: "api(-| )nyckel,api-nyckeln,(hemlig|privat|delad) nyckel,(åtkomst|licens|krypterings)nyckel," +
			"hemlighet,hemligheten,åtkomsttoken",
		codes: "(pin|pin-|återställnings|engångs|verifierings|säkerhets|reserv|" +
			"bekräftelse|upplåsnings|aktiverings|inloggnings|autentiserings|" +
			"backup|2fa-|otp-|sms-|dörr|port|larm)kod(|en|er),engångslösenord",
		logins: "(inloggnings|konto)uppgifter,inloggning",
		is:     "är,var,blir,heter,förblir,blev,lyder",
		to:     "till,på",
		as:     "som",
		about: "produktion,databas,databasen,server,servern,fil,filen,klartext,valv,valvet,vilket,långt,samma," +
			"webbläsaren," +
			"allt,något,inget",
		verbs: "ändra,bytt,byt,satt,sätt,uppdater,återställ",
		idle: "detsamma,samma,en,ett,den,det,de,inte,ej,fel,felaktigt,ogiltigt,tomt,tom,obligatoriskt,krävs," +
			"utgånget,måste," +
			"får,kan,ska,i,på," +
			"för,med,och,eller,men,som,om,att,av,till,redan,alltid,aldrig,sparat,krypterat,glömt,här,för,kort",
	},
	{ // Polish
		passwords: "(hasło|haslo|hasłem|hasła|hasla|hasłu|hasel),fraza (hasła|kodująca|dostępu),kod dostępu",
		keys: "klucz (api|prywatny|tajny|dostępu|szyfrowania|licencyjny|współdzielony),(tajny|sekretny) klucz," +
			"sekret,sekrety,token dostępu",
		codes: "kod (pin|2fa|otp|sms|odzyskiwania|weryfikacyjny|jednorazowy|bezpieczeństwa|" +
			"autoryzacyjny|uwierzytelniający|zapasowy|potwierdzający|potwierdzenia|" +
			"awaryjny|odblokowania|aktywacyjny|logowania|do drzwi|do alarmu)," +
			"kody (odzyskiwania|zapasowe|jednorazowe|weryfikacyjne)",
		logins: "dane (logowania|do logowania|dostępowe),poświadczenia,logowanie",
		is:     "to,jest,brzmi,było,będzie,pozostaje,brzmiało",
		to:     "na",
		as:     "jako",
		about: "produkcji,produkcja,bazie,serwerze,serwer,pliku,podstawa,podstawą,sejfie,jakie,gdzie,długie,stronie," +
			"problem,ważne,wszystko,przeglądarce",
		verbs: "zmie,ustaw,zresetow,zaktualiz",
		idle: "nie,jest,i,lub,albo,w,we,na,do,dla,od,z,ze,o,po,przez,musi,może,niepoprawne,nieprawidłowe," +
			"błędne,puste," +
			"wymagane,poprawne,wygasło,powinno,już,tylko,zawsze,nigdy,zapisane,zaszyfrowane,tutaj,się,za,krótkie,złe",
		done: "nieaktualne,nieważne,przeterminowane,zapomniane,usunięte,odnowione",
	},
	{ // Czech
		passwords: "heslo,hesla,heslem,heslu,přístupová fráze,přístupové heslo,přístupový kód",
		keys: "(api|tajný|soukromý|přístupový|šifrovací|licenční|sdílený)( |-)klíč,klíč api,tajemství," +
			"přístupový token",
		codes: "(pin|2fa|otp|sms|obnovovací|ověřovací|jednorázový|bezpečnostní|" +
			"záložní|potvrzovací|aktivační|přihlašovací|odblokovací) kód," +
			"(obnovovací|záložní|jednorázové) kódy,kód (pin|2fa|pro obnovení|z sms|ke dveřím|k alarmu)",
		logins: "(přihlašovací|přístupové) údaje,přihlášení",
		is:     "je,zní,bylo,bude,byl,zůstává,znělo",
		to:     "na",
		as:     "jako",
		about:  "produkci,databázi,serveru,server,souboru,trezoru,jaké,kde,dlouhé,stránce,základ,problém,prohlížeči",
		verbs:  "změn,nastav,zmen,resetov,aktualiz",
		idle: "není,je,a,nebo,ale,v,ve,na,do,pro,od,z,ze,o,po,musí,může,nesprávné,neplatné,špatné,prázdné," +
			"povinné,správné," +
			"vypršelo,už,jen,vždy,nikdy,uloženo,zašifrováno,zde,se,příliš,krátké,chybné,vyžadováno",
		done: "vypršalo,zapomenuto,zapomenuté,zabudnuté,smazáno,vymazané,obnoveno,obnovené",
	},
	{ // Turkish
		passwords: "şifre,şifresi,şifrem,şifreniz,şifreyi,sifre,sifresi,parola,parolası,parolam,parolayı," +
			"geçiş ifadesi,erişim kodu,giriş kodu",
		keys: "(api|gizli|özel|erişim|şifreleme|lisans) anahtar(|ı),jeton,jetonu,belirteç,sır,anahtarı," +
			"erişim (jetonu|belirteci)",
		codes: "(pin|kurtarma|doğrulama|güvenlik|2fa|onay|yedek|yedekleme|aktivasyon|" +
			"etkinleştirme|kilit açma|iki faktör|sms|otp|kapı|alarm) kod(u|ları),(yedek|tek kullanımlık) kod," +
			"tek kullanımlık şifre",
		logins: "(kimlik|giriş|oturum|hesap) bilgileri",
		is:     "artık,yeni,şu",
		to:     "olarak",
		as:     "olarak",
		about:  "sunucuda,veritabanında,dosyada,kasada,nerede,hangi,kısa,uzun,aynı,zayıf,güçlü,tarayıcıda",
		verbs:  "değiş,ayarla,güncelle,sıfırla,yap",
		idle: "giriniz,girin,giriş,değil,ve,veya,ile,için,bir,bu,çok,yanlış,geçersiz,boş,gerekli,zorunlu,doğru," +
			"olmalı,olmalıdır," +
			"hatalı,unutuldu," +
			"en,az,her,hiç,değiştir,politikası,sıfırlama,alanı,kısa,süresi",
	},
	{ // Russian
		passwords: "пасс,пассворд,пароль,пароля,паролем,паролю,парольная фраза,кодовая фраза,кодовое слово,пароли," +
			"код доступа",
		keys: "секрет,токен,токен доступа,api( |-)ключ,ключ (api|апи|доступа|шифрования|лицензии)," +
			"(секретный|приватный|закрытый|общий|лицензионный) ключ",
		codes: "пин(|-код| код),(резервный|одноразовый|проверочный|защитный|временный|запасной|секретный) код," +
			"(резервные|одноразовые|запасные) коды,одноразовый пароль," +
			"код (2fa|восстановления|подтверждения|безопасности|активации|" +
			"разблокировки|авторизации|аутентификации|двухфакторной аутентификации|" +
			"из смс|из sms|от двери|от домофона)",
		logins: "учётные данные,учетные данные,логин и пароль,доступ,доступы,логин/пароль,креды",
		is:     "это,теперь,будет,был,—,–,есть,таков,такой,остался,остаётся,остается,стал",
		to:     "на",
		as:     "как,качестве",
		about: "сервере,сервер,базе,продакшене,проде,странице,сайте,файле,хранилище,сейфе,стенде,тесте,где,какой," +
			"более," +
			"всех,новый,другой,следующий,почту,почте,всё,все,аккаунте,клиенте,более",
		verbs: "измен,смен,помен,устано,сброс,сброш,обнов,постав,задал",
		idle: "не,нет,неверный,неправильный,пустой,верный,обязателен,обязательный,и,или,но,в,во,на,для,от,с,со," +
			"по,к,из,что," +
			"как,если,должен,может,истёк,истек,уже,только,всегда,никогда,хранится,забыт,слишком,короткий,нужен,здесь," +
			"не-задан,для-входа,доступа,пользователя,администратора",
		done: "устарел,удалён,удален",
	},
	{ // Ukrainian
		passwords: "парольна фраза,пароль,паролі,кодове слово,кодова фраза,код доступу",
		keys: "(секретний|приватний|закритий|спільний|ліцензійний) ключ,ключ (api|апі|доступу|шифрування)," +
			"токен доступу,api( |-)ключ",
		codes: "пін(|-код| код),(резервний|одноразовий|перевірочний|тимчасовий|запасний|секретний) код," +
			"(резервні|одноразові) коди,одноразовий пароль," +
			"код (2fa|відновлення|підтвердження|безпеки|активації|розблокування|" +
			"авторизації|автентифікації|двофакторної автентифікації|з смс|з sms|від дверей)",
		logins: "облікові дані,логін і пароль,логін та пароль,доступи,креди",
		is:     "це,тепер,буде,був,є,—,–,такий,лишився,залишається,став",
		to:     "на",
		as:     "як",
		about: "сервері,сервер,базі,проді,сторінці,сайті,файлі,сховищі,сейфі,стенді,тесті,де,який,більш,всіх,новий," +
			"інший,наступний,пошту,пошті,все,довшим,клієнті",
		verbs: "змін,помін,встанов,скин,онов,постав",
		idle: "не,немає,невірний,неправильний,порожній,вірний,обов'язковий,і,й,або,але,в,у,на,для,від,з,із,по," +
			"до,що,як,якщо," +
			"має,може,вже,тільки,завжди,ніколи,зберігається,забутий,надто,короткий,потрібен,тут,користувача",
	},
	{ // Vietnamese
		passwords: "mật khẩu,mat khau,cụm mật khẩu,mật mã,cụm từ mật khẩu,mã truy cập",
		keys:      "(khóa|khoá) (api|bí mật|riêng|riêng tư|truy cập|mã hóa|chia sẻ),bí mật,mã thông báo,mã token",
		codes: "mã (pin|otp|2fa|sms|khôi phục|xác minh|xác thực|bảo mật|dự phòng|" +
			"xác nhận|dùng một lần|kích hoạt|mở khóa|đăng nhập)",
		logins: "thông tin đăng nhập,tài khoản",
		is:     "là,bây giờ là",
		to:     "thành,sang",
		as:     "làm",
		verbs:  "đổi,đặt,thay,cập",
		idle: "không,chưa,đã,phải,có,cần,sai,đúng,rỗng,trống,bắt,hết,và,hoặc,nhưng,của,cho,trong,được,bị,sẽ," +
			"quá,ít,yếu," +
			"mới,cũ,người,này,tối,hợp",
	},
	{ // Arabic
		passwords: "كلمة (|ال)(مرور|سر),كلمه (|ال)(مرور|سر),الرقم السري,عبارة (|ال)مرور,(|ال)باسورد," +
			"(رمز|كود) الدخول",
		keys: "مفتاح (api|الوصول|سري|التشفير|الترخيص),المفتاح (السري|الخاص),السر,رمز الوصول,التوكن,توكن," +
			"الرمز المميز,رمز مميز,سر",
		codes: "(رمز|كود) (|ال)(تحقق|استرداد|أمان|تأكيد|مصادقة|استعادة|تفعيل|مرور),(رمز|كود) (pin|otp|2fa)," +
			"الرمز السري,الرمز الاحتياطي,رمز احتياطي,(رمز|الرمز) لمرة واحدة,رمز",
		logins: "(بيانات|معلومات) (الاعتماد|الدخول|تسجيل الدخول)",
		is:     "هي,هو,أصبحت,أصبح,الآن,تكون,كانت,صارت,صار,تبقى",
		to:     "إلى,الى,ل",
		as:     "ككلمة,كـ,بمثابة",
		verbs:  "تغيير,غير,غيّر,تم,تعيين,ضبط,تحديث",
		idle: "غير,ليس,ليست,خاطئة,فارغة,صحيحة,مطلوبة,مطلوب,يجب,في,على,من,إلى,عن,أو,و,لا,لم,قد,التي,الذي," +
			"المستخدم,منتهية",
	},
	{ // Hindi
		passwords: "पासवर्ड,कूटशब्द,पासफ़्रेज़,पासफ्रेज,पासकोड,संकेतशब्द,एक्सेस कोड",
		keys: "(गुप्त|एपीआई|api|निजी|एन्क्रिप्शन|एक्सेस) कुंजी,टोकन,सीक्रेट,एक्सेस टोकन," +
			"(एपीआई|एक्सेस|सीक्रेट) की,गुप्त",
		codes: "पिन,ओटीपी,(पिन|2fa|ओटीपी|रिकवरी|सत्यापन|सुरक्षा|बैकअप|पुनर्प्राप्ति|वन-टाइम|" +
			"वन टाइम|वेरिफिकेशन|पुष्टि|पुष्टिकरण|एक्टिवेशन|सक्रियण|लॉगिन) कोड",
		logins: "क्रेडेंशियल,क्रेडेंशियल्स,लॉगिन",
		is:     "है,हैं,था,अब",
		to:     "को,में",
		as:     "रूप",
		verbs:  "बदल,सेट,रीसेट,अपडेट",
		idle: "इस्तेमाल,उपयोग,प्रयोग,दर्ज,नहीं,गलत,सही,खाली,आवश्यक," +
			"अमान्य,और,या,का,के,की,को,में,से,पर,चाहिए,होना,बहुत,नीति,भूल,मान्य,ज़रूरी",
	},
	{ // Japanese
		passwords: "パスワード,パスコード,暗証番号,パスフレーズ,合言葉,ﾊﾟｽﾜｰﾄﾞ,パス,アクセスコード,入室コード",
		keys:      "シークレット,トークン,api( |)キー,api( |)トークン,(アクセス|シークレット|プライベート|ライセンス|暗号化)キー,(秘密|共有|暗号)鍵,アクセストークン,秘密",
		codes: "ワンタイムパスワード,ピン,pin,(pin|2fa|otp|認証|確認|リカバリー|リカバリ|復旧|回復|復元|セキュリティ|バックアップ|予備|暗証|ワンタイム|" +
			"解除|ログイン|二段階認証|二要素認証|承認)コード",
		logins: "認証情報,資格情報,ログイン情報,ログイン",
	},
	{ // Korean
		passwords: "비밀번호,비번,암호,패스워드,암호문,패스프레이즈,접근 코드,접속 코드,액세스 코드,출입 코드",
		keys:      "토큰,시크릿,(api|비밀|개인|액세스|시크릿|암호화|라이선스)( |)키,(액세스|엑세스|접근|api) 토큰",
		codes:     "핀,(핀|인증|확인|보안)( |)번호,(핀|인증|확인|복구|보안|백업|일회용|otp|2fa|2단계 인증|예비)( |)코드,일회용( |)비밀번호",
		logins:    "자격증명,자격 증명,로그인 정보,계정 정보,로그인",
	},
	{ // Chinese
		passwords: "密码,密碼,口令,暗号,暗號,密语,密語,通行码,通行碼,访问码,訪問碼,存取码,存取碼",
		keys:      "密钥,密鑰,令牌,秘钥,私钥,私鑰,凭证,憑證,访问令牌,(访问|api|加密|共享)( |)(密钥|密鑰),金鑰,權杖,机密",
		codes: "(验证|驗證|认证|認證|恢复|恢復|动态|動態|安全|备用|備用|备份|備份|校验|校驗|确认|確認|激活|解锁|解鎖|一次性|两步验证|双因素验证|短信验证|2fa|otp)(码|碼)," +
			"pin( |)(码|碼),(恢复|备用|验证|驗證)(代码|代碼),动态口令,一次性(密码|密碼|口令)",
		logins: "凭据,憑據,登录信息,登錄資訊,账号密码,帳號密碼,登录",
	},
	{ // further languages, of which only labels and plain statements are known
		passwords: "salasana,salasanan,tunnuslause,adgangskode,adgangskoden,kodeord,kodeordet,passord," +
			"passordet,jelszó," +
			"jelszava,jelszót,parolă,parolei,κωδικός,κωδικός πρόσβασης,κωδικό,συνθηματικό,סיסמה,סיסמא,הסיסמה," +
			"รหัสผ่าน," +
			"kata sandi,katasandi,sandi,kata laluan,lozinka,lozinku,lozinke,zaporka,geslo,парола,паролата,лозинка," +
			"шифра,contrasenya,slaptažodis,parool,salasõna,lykilorð,pasahitza,رمز عبور,گذرواژه,پاس ورڈ",
		codes: "pin-koodi,vahvistuskoodi,engangskode,bekræftelseskode,bekreftelseskode,ellenőrző kód," +
			"cod de verificare," +
			"κωδικός επαλήθευσης,קוד אימות,รหัสยืนยัน,kode verifikasi,kode otp,kontrolni kod,код за потвърждение",
		is: "adalah,ialah,este,είναι,היא,הוא,คือ,است,är,és,yra",
		done: "nulstillet,ændret,skiftet,opdateret,fornyet,slettet,glemt,lækket,udløbet,udløber,krypteret,gendannet," +
			"tilbakestilt,nullstilt,endret,byttet,oppdatert,lekket,utløpt,utløper,kryptert,gjenopprettet," +
			"nollattiin,nollattu,vaihdettiin,vaihdettu,vaihtui,vaihtunut,vanheni,vanhentunut,päivitettiin,muutettiin," +
			"palautettiin,poistettiin,unohtui," +
			"fost,expirată,visszaállították,visszaállítva,megváltoztatták,megváltozott," +
			"frissült,lejárt,изтече,istekla," +
			"vahetati,έληξε",
	},
}

// A lexicon is what the speeches say, by word.
type lexicon struct {
	names map[string]secrecy
	is    map[string]bool
	to    map[string]bool
	as    map[string]bool
	idle  map[string]bool
	done  map[string]bool
	about map[string]bool
	// verbs are the beginnings of verbs by their first byte.
	verbs [256][]string
	// gaps are words behind which any may stand before the value, as in "password for x".
	gaps map[string]bool
	// stops end a sentence about a name before its value came.
	stops map[string]bool
	// post stand behind a value.
	post map[string]bool
	// endings may follow a value that is a word.
	endings map[string]bool
	// plain are the names in ASCII without blanks and hyphens.
	plain map[string]secrecy
	// endingsOf are the ends of names of secrets and of names that are none, by their last
	// byte. The first that fits counts.
	endingsOf [256][]ending
	// folded are the names of passwords and keys of languages other than English in ASCII, without what separates their
	// words.
	folded map[string]secrecy
	// foldedForms are these in a fixed order, also with underscores and hyphens between the words.
	foldedForms []string
	// ordered are the names in the order of the speeches, as they are written.
	ordered []spelling
}

// An ending is the end of a name, and what its values are.
type ending struct {
	word string
	kind secrecy
}

const (
	gapWords = "between,fürs,vom,beim,ans,ins,for,of,on,at,in,für,von,der,des,am,im,auf,zum,zur,bei,pour,du,de,des," +
		"sur,à,del,da,do,dos,na,no," +
		"en,para,per,di," +
		"della,dello,su,van,voor,op,het,till,för,på,av,dla,od,pro,k,ke,для,от,на,к,у,в,від,до,cho,của,ل,في,على," +
		"لـ,के,का,की," +
		"लिए,now,jetzt,nun,maintenant,désormais,ahora,agora,adesso,ora,nu,nu,teraz,nyní,теперь,сейчас,тепер," +
		"зараз,bây,giờ,الآن," +
		"अब,wurde,wird,has,been,have,was,ha,har,a,został,zostało,byl,bylo,neue,neuer,nouveau,nueva,nova,nuova," +
		"nieuwe,nya," +
		"nowe,nové,yeni,новый,новий,mới,الجديدة,नया,already,just,lại,được,đã,có,qua,vẫn,still,toujours," +
		"continua,sigue,sang,foi,fue,é,è,été,stata," +
		"stato,się,to," +
		"anterior,antiga,antigua,vieja,velha,vecchia,alte,aktuelle,actual,atual,attuale,provisional,bol,si,c'est," +
		"hiện,tại,hat,sich,se,si,kullanıcısının,için,the,le,la,el,o,das,den,is,är,ist,est,es,jest,je,là"
	stopWords = "and,or,but,that,which,if,when,because,und,oder,aber,et,ou,mais,y,o,pero,e,mas,ma,en,maar,och," +
		"men,i,lub,ale,a," +
		"nebo,и,или,но,і,або,але,ve,veya,và,hoặc,و,أو,और,या,must,should,may,can,will,not,muss,soll,kann,doit," +
		"peut,debe,puede," +
		"deve,pode,può,moet,kan,måste,ska,musi,może,musí,může,должен,может,має,може,phải,يجب,چاहिए"
	postWords = "है,हैं,था,olarak,में,पर,से,hai,ist,olsun,को,कर,idi"
	endWords  = "and,or,but,so,for,on,please,now,in,at,it,this,that,-,–,—,und,aber,oder,für,bitte,et,ou,mais," +
		"pour,y,pero,para," +
		"e,mas,ma,per,en,maar,voor,och,men,för,i,ale,oraz,dla,a,pro,и,но,для,а,і,але,و,और,ve,ama,và,nhưng," +
		"don't,do,dont," +
		"if,as,with,to,from,when,until,before,after,there,here,use,user,username,login,host,server,port,nicht," +
		"ne,no,не," +
		"है,hai,olarak,als,comme,como,come,som,jako,как,як,làm,w,na,bei,auf,dans,sur,su,op,på,на,во,of,only," +
		"again,instead," +
		"también,aussi,auch,anche,também,ook,också,také,też,также,також,cũng,أيضا,भी,yesterday,today,gestern," +
		"heute,hier,ayer,hoy,ontem,hoje,ieri,oggi,gisteren,igår,wczoraj,včera,dün,вчера,сегодня,вчора,hôm," +
		"тоже,теж," +
		"right,ok,okay,thanks,btw,fyi,|,/,statt,anstatt,instead,lieu,viu,né,tá,gell,oder,hein,quoi,vale,capito," +
		"senza,sin,sans,ohne,without,bez,без,zonder,utan,sem,right?,invece,zamiast,místo,вместо,замість,thay,i,we," +
		"you,think,guess,nhé,nha,test,testa,prova,still,until,since,seit,depuis,desde,dal,sinds,sedan,od,с,з"
)

// words returns the one lexicon.
func words() *lexicon { return lexicons.Get() }

var lexicons = once.Value[*lexicon]{Make: newLexicon}

func newLexicon() *lexicon {
	l := &lexicon{
		names: make(map[string]secrecy, 1<<11), ordered: make([]spelling, 0, 1<<11), plain: map[string]secrecy{},
		is: map[string]bool{}, to: map[string]bool{}, as: map[string]bool{}, idle: map[string]bool{},
		done: map[string]bool{}, about: map[string]bool{}, folded: make(map[string]secrecy, 1<<9),
	}
	l.gaps, l.stops, l.post, l.endings = listed(gapWords), listed(stopWords), listed(postWords), listed(endWords)
	for i, s := range speeches {
		foreign := i > 0
		l.addNames(s.passwords, password, foreign)
		l.addNames(s.keys, key, foreign)
		l.addNames(s.codes, code, false)
		l.addNames(s.logins, login, false)
		addWords(l.is, s.is)
		addWords(l.to, s.to)
		addWords(l.as, s.as)
		addWords(l.idle, s.idle)
		addWords(l.done, s.done)
		addWords(l.about, s.about)
		l.addVerbs(s.verbs)
	}
	for _, name := range []string{"parol", "mima", "kouling"} { // Russian and Chinese in the Latin script
		l.fold(name, password)
	}
	for _, word := range harmlessNames {
		l.addEnding(word, harmless)
	}
	for _, word := range secretWords {
		if passwordWords.Has(word) {
			l.addEnding(word, password)
		} else {
			l.addEnding(word, key)
		}
	}
	return l
}

// addNames adds a list of names of secrets. A name that has a kind keeps it. Names of which identifiers are made are
// folded, too.
func (l *lexicon) addNames(list string, kind secrecy, fold bool) {
	var written []string
	for name := range spelledOut(list) {
		if name != "" && l.names[name] == harmless {
			l.names[name] = kind
			if isASCII(name) && strings.ContainsAny(name, " -") {
				l.plain[withoutSeparators(name)] = kind
			}
			written = appendSpellings(written[:0], name)
			for _, text := range written {
				l.ordered = append(l.ordered, spelling{foldASCII(text), kind})
			}
		}
		if fold {
			l.fold(name, kind)
		}
	}
}

// addWords adds the words of a list to a set.
func addWords(set map[string]bool, list string) {
	for word := range strings.SplitSeq(list, ",") {
		if word != "" {
			set[word] = true
		}
	}
}

// addVerbs adds the beginnings of verbs.
func (l *lexicon) addVerbs(list string) {
	for verb := range strings.SplitSeq(list, ",") {
		if verb != "" {
			l.verbs[verb[0]] = append(l.verbs[verb[0]], verb)
		}
	}
}

// addEnding adds an end of names.
func (l *lexicon) addEnding(word string, kind secrecy) {
	last := word[len(word)-1]
	l.endingsOf[last] = append(l.endingsOf[last], ending{word, kind})
}

// fold adds a name of a language as people write it in identifiers, if it has letters of the Latin script only.
func (l *lexicon) fold(name string, kind secrecy) {
	ascii := name
	if letter, _ := utf8.DecodeRuneInString(name); letter > unicode.MaxLatin1 && !unicode.Is(unicode.Latin, letter) {
		return
	} else if !isASCII(name) {
		if ascii = inASCII.Get().Replace(name); !isASCII(ascii) {
			return
		}
	}
	plain := ascii
	if strings.ContainsAny(ascii, " -") {
		plain = withoutSeparators(ascii)
	}
	if len(plain) < 3 || l.folded[ascii] != harmless {
		return
	}
	if l.folded[plain] == harmless {
		l.foldedForms = append(l.foldedForms, plain)
	}
	l.folded[ascii], l.folded[plain] = kind, kind
	if plain != ascii {
		words := strings.ReplaceAll(strings.ReplaceAll(ascii, " ", "_"), "-", "_")
		l.foldedForms = append(l.foldedForms, words, strings.ReplaceAll(words, "_", "-"))
	}
}

// spelledOut yields the names of a list, each with every choice of its alternatives.
func spelledOut(list string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for name := range strings.SplitSeq(list, ",") {
			if !choose("", name, yield) {
				return
			}
		}
	}
}

// choose yields a name that begins with head, with every choice of the alternatives in its tail.
func choose(head, tail string, yield func(string) bool) bool {
	before, rest, found := strings.Cut(tail, "(")
	if !found {
		return yield(head + tail)
	}
	choices, behind, _ := strings.Cut(rest, ")")
	for choice := range strings.SplitSeq(choices, "|") {
		if !choose(head+before+choice, behind, yield) {
			return false
		}
	}
	return true
}

func listed(words string) map[string]bool {
	set := make(map[string]bool, strings.Count(words, ",")+1)
	for word := range strings.SplitSeq(words, ",") {
		set[word] = true
	}
	return set
}

// isVerb reports whether a word in lower case says that something changes.
func (l *lexicon) isVerb(word string) bool {
	if word == "" {
		return false
	}
	for _, v := range l.verbs[word[0]] {
		if strings.HasPrefix(word, v) && (len(v) > 3 || len(word) <= len(v)+4) {
			return true
		}
	}
	return false
}

// inASCII writes letters of languages in the Latin script as people do who have only ASCII.
var inASCII = once.Value[*strings.Replacer]{Make: func() *strings.Replacer {
	return strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "ß", "ss", "á", "a", "à", "a", "ã", "a",
		"â", "a", "å", "a", "ą", "a", "ă", "a", "ạ", "a", "ậ", "a", "é", "e", "è", "e", "ê", "e", "ę", "e",
		"ě", "e", "í", "i", "ì", "i", "ı", "i", "ó", "o", "ò", "o", "ô", "o", "õ", "o", "ø", "o", "ú", "u",
		"ů", "u", "ụ", "u", "ẩ", "a", "ç", "c", "č", "c", "ć", "c", "đ", "d", "ğ", "g", "ł", "l", "ñ", "n",
		"ń", "n", "ň", "n", "ř", "r", "ś", "s", "š", "s", "ş", "s", "ť", "t", "ý", "y", "ż", "z", "ź", "z",
		"ž", "z", "'", "", "’", "")
}}

// A spelling is a name as it is written, with its ASCII letters in lower case.
type spelling struct {
	text string
	kind secrecy
}

// appendSpellings appends a name in the cases in which it is written, where these differ
// beyond ASCII.
func appendSpellings(all []string, name string) []string {
	first := len(all)
	all = append(all, name)
	if isASCII(name) {
		return all
	}
	for _, r := range name { // the first letter that is none of ASCII tells the script
		if r >= utf8.RuneSelf && unicode.IsLetter(r) {
			if !unicode.IsLower(r) && !unicode.IsUpper(r) {
				return all // one without cases
			}
			break
		}
	}
	upper := strings.ToUpper(name)
	add := func(other string) {
		if !slices.ContainsFunc(all[first:], func(s string) bool { return equalFoldASCII(s, other) }) {
			all = append(all, other)
		}
	}
	letter, size := utf8.DecodeRuneInString(name)
	add(string(unicode.ToUpper(letter)) + name[size:])
	add(upper)
	if head, tail, ok := strings.Cut(name, "-"); ok {
		add(strings.ToUpper(head) + "-" + tail)
	}
	return all
}
